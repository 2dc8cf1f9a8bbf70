"""What faces say as JSON: each function turns values of the product into one document.

A document holds plain values that JSON has a form for. The keys of each are described in
docs/reference/documents.md. The evidence of a recall is not among them: its JSON is composed within
the token budget (`stepwell.recall.show.compose`).
"""
