"""Credentials that tell by themselves what they are: providers give their tokens a beginning.

Each row: kind, name, pattern, a sample, one that it leaves, and where needed how a token may begin or
what stands within it. `¦` keeps samples in pieces.
"""

from __future__ import annotations

import re
from typing import Final

from stepwell.text.credentials.base import WORD_START, Detector, sample

__all__ = ["SHAPES"]

_A10 = "a1B2c3D4e5"
_HEX = "0a1b2c3d4e5f6789"

_ROWS: Final[tuple[tuple[str, ...], ...]] = (
    ("aws-key", "aws", r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])", "AK¦IA" + "Q7" * 8, "AK¦IA" + "Q7" * 8 + "a", "AK AS"),
    ("github-token", "github", r"gh[pousr]_[A-Za-z0-9_]{30,255}", "gh¦p_" + _A10 * 3, "gh¦p_" + _A10),
    ("github-token", "github-fine", r"github_pat_\w{30,255}", "github¦_pat_" + _A10 * 3, "github¦_pat_x"),
    ("gitlab-token", "gitlab", r"gl(?:pat|dt|rt|ptt|ft|soat|imt|agent|cbt|oas)-[\w-]{20,255}", "gl¦pat-" + _A10 * 2, "gl¦pat-" + _A10),
    ("api-key", "openai", r"sk-(?=[\w-]{0,255}[0-9])[\w-]{20,255}", "s¦k-proj-" + _A10 * 3, "s¦k-" + "abcdefghij" * 3),
    ("api-key", "stripe", r"[sr]k_(?:live|test|prod)_\w{16,255}", "s¦k_test_" + _A10 * 2, "p¦k_test_" + _A10 * 2, "sk rk"),
    ("api-key", "stripe-hook", r"whsec_[\w+/=-]{24,255}", "wh¦sec_" + _A10 * 3, "wh¦sec_" + _A10),
    ("api-key", "underscored", r"sk_[0-9a-f]{40,64}(?!\w)", "s¦k_" + _HEX * 3, "s¦k_" + _HEX),
    ("api-key", "npm", r"npm_[A-Za-z0-9]{36}(?!\w)", "np¦m_" + _A10 * 3 + "a1B2c3", "np¦m_config_registry"),
    ("api-key", "pypi", r"pypi-[\w-]{40,255}", "py¦pi-" + _A10 * 4, "py¦pi-" + "simple-index"),
    ("api-key", "rubygems", r"rubygems_[0-9a-f]{48}", "ruby¦gems_" + _HEX * 3, "rubygems_version"),
    ("api-key", "crates", r"cio[A-Za-z0-9]{32}(?!\w)", "ci¦o" + _A10 * 3 + "a1", "cio" + "nly"),
    ("api-key", "hugging-face", r"hf_[A-Za-z0-9]{30,64}(?!\w)", "h¦f_" + _A10 * 3, "h¦f_" + _A10),
    ("api-key", "groq", r"gsk_[A-Za-z0-9]{40,64}", "gs¦k_" + _A10 * 4, "gs¦k_" + _A10),
    ("api-key", "xai", r"xai-[A-Za-z0-9]{60,100}", "xa¦i-" + _A10 * 6, "xa¦i-" + _A10),
    ("api-key", "perplexity", r"pplx-[A-Za-z0-9]{40,64}", "ppl¦x-" + _A10 * 4, "ppl¦x-" + _A10),
    ("api-key", "replicate", r"r8_[A-Za-z0-9]{36,40}(?!\w)", "r¦8_" + _A10 * 3 + "a1B2c3D", "r¦8_" + _A10),
    ("api-key", "langsmith", r"lsv2_(?:pt|sk)_[0-9a-f_]{40,60}", "lsv¦2_pt_" + _HEX * 3, "lsv¦2_pt_" + _HEX),
    ("api-key", "pinecone", r"pcsk_\w{50,100}", "pc¦sk_" + _A10 * 5, "pc¦sk_" + _A10),
    ("slack-token", "slack", r"xox[abceoprs](?:\.xox[bp])?-[\w.-]{10,255}", "xo¦xb-" + "1234567890-abcDEF", "xo¦xb-12"),
    ("slack-token", "slack-app", r"xapp-\d-[\w-]{20,255}", "xa¦pp-1-" + _A10 * 2, "xa¦pp-1-" + _A10),
    ("slack-token", "slack-hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/([\w/-]{20,255})", "hooks.slack¦.com/services/T00/B00/" + _A10 * 2, "hooks.slack¦.com/services/T00"),
    ("token", "discord-hook", r"discord(?:app)?\.com/api/webhooks/\d{15,20}/([\w-]{60,80})", "discord¦.com/api/webhooks/123456789012345678/" + _A10 * 6, "discord¦.com/api/webhooks/12"),
    ("token", "discord", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])", "M" + _A10 * 2 + "a1B2¦." + "Gabc12." + _A10 * 3, "N.a.b", "M N O"),
    ("token", "telegram", r"(?<=\d{8}):(AA[\w-]{32,35})(?![\w-])", "123456789:A¦A" + _A10 * 3 + "a1B2c", "12345678:AAb", ":AA"),
    ("token", "teams-hook", r"webhook\.office\.com/webhookb2/([\w@/-]{40,255})", "x.webhook.office¦.com/webhookb2/" + _A10 * 5, "webhook.office¦.com/webhookb2/x"),
    ("google-key", "google", r"AIza[\w-]{35}(?![\w-])", "AI¦za" + "k0_" * 11 + "zz", "AI¦za" + "k0_" * 11 + "zzz"),
    ("google-key", "google-token", r"ya29\.[\w.-]{20,1024}", "ya¦29." + _A10 * 3, "ya¦29.x"),
    ("google-key", "google-secret", r"GOCSPX-[\w-]{20,64}", "GOC¦SPX-" + _A10 * 3, "GOC¦SPX-x"),
    ("google-key", "google-refresh", r"1//0[\w-]{40,255}", "1/¦/0" + _A10 * 5, "1/¦/0" + _A10),
    ("api-key", "sendgrid", r"SG\.[\w-]{16,64}\.[\w-]{16,64}", "S¦G." + _A10 * 2 + "." + _A10 * 4, "S¦G.a.b"),
    ("api-key", "mailgun", r"key-[0-9a-f]{32}(?!\w)", "ke¦y-" + _HEX * 2, "ke¦y-" + _HEX),
    ("api-key", "mailchimp", r"(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\w)", _HEX * 2 + "¦-us12", _HEX + "¦-us12", "-us"),
    ("api-key", "sendinblue", r"xkeysib-[0-9a-f]{64}-\w{16}", "xkey¦sib-" + _HEX * 4 + "-" + _HEX, "xkey¦sib-" + _HEX),
    ("api-key", "twilio", r"SK[0-9a-f]{32}(?!\w)", "S¦K" + _HEX * 2, "A¦C" + _HEX * 2),
    ("token", "vault", r"hv[sbr]\.[\w-]{20,512}", "hv¦s." + _A10 * 3, "hv¦s.x"),
    ("token", "vault-old", r"(?<![\w./-])[sb]\.[A-Za-z0-9]{24}(?![\w.])", " s¦." + _A10 * 2 + "a1B2", "s¦.replace", "s. b."),
    ("token", "digitalocean", r"do[opr]_v1_[0-9a-f]{64}", "do¦p_v1_" + _HEX * 4, "do¦p_v1_" + _HEX),
    ("token", "docker", r"dckr_[po]at_[\w-]{20,64}", "dckr¦_pat_" + _A10 * 3, "dckr¦_pat_x"),
    ("token", "databricks", r"dapi[0-9a-f]{32}(?:-\d)?(?!\w)", "da¦pi" + _HEX * 2, "da¦pi" + _HEX),
    ("token", "terraform", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{40,80}", _A10 + "a1B2¦.atlasv1." + _A10 * 5, "x¦.atlasv1.y", ".atlasv1."),
    ("token", "heroku", r"HRKU-[\w-]{36,64}", "HR¦KU-" + _A10 * 4, "HR¦KU-x"),
    ("token", "linear", r"lin_(?:api|oauth)_\w{32,64}", "lin¦_api_" + _A10 * 4, "lin¦_api_x"),
    ("token", "notion", r"(?:ntn|secret)_(?=\w{0,60}\d)[A-Za-z0-9]{40,60}", "nt¦n_" + _A10 * 4, "secret_" + "name" * 12, "nt se"),
    ("token", "shopify", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", "shp¦at_" + _HEX * 2, "shp¦at_" + _HEX),
    ("token", "square", r"(?:sq0[a-z]{3}-[\w-]{22,64}|EAAA[\w-]{56,64})", "sq¦0atp-" + _A10 * 3, "sq¦0atp-x", "sq EA"),
    ("token", "grafana", r"gl(?:sa|c)_[\w+/=]{32,255}", "gl¦sa_" + _A10 * 4, "gl¦sa_x"),
    ("token", "new-relic", r"NRA[KLAM]-[A-Z0-9]{20,40}", "NRA¦K-" + "Q7" * 13, "NRA¦K-x"),
    ("token", "sentry", r"sntry[su]_[\w+/=-]{40,512}", "sntr¦yu_" + _HEX * 4, "sntr¦yu_x"),
    ("token", "doppler", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40,48}", "dp¦.pt." + _A10 * 4, "dp¦.pt.x"),
    ("private-key", "age", r"AGE-SECRET-KEY-1[0-9A-Z]{50,60}", "AGE-SECRET¦-KEY-1" + "Q7" * 29, "AGE-SECRET¦-KEY-1"),
    ("token", "tailscale", r"tskey-(?:auth|api|client)-[\w-]{16,80}", "ts¦key-auth-" + _A10 * 2, "ts¦key-auth-x"),
    ("token", "postman", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PM¦AK-" + _HEX + "0a1b2c3d-" + _HEX * 2 + "0a", "PM¦AK-x"),
    ("token", "planetscale", r"pscale_(?:tkn|pw|oauth)_[\w.-]{32,64}", "pscale¦_tkn_" + _A10 * 4, "pscale¦_tkn_x"),
    ("token", "supabase", r"sb(?:p|_secret)_\w{20,64}", "sb¦p_" + _HEX * 2, "sb¦p_x"),
    ("token", "atlassian", r"AT(?:ATT|CTT|BB)[\w=-]{28,255}", "ATA¦TT3xFfGF0" + _A10 * 5, "ATTACHMENT_LIST"),
    ("token", "figma", r"figd_[\w-]{36,64}", "fig¦d_" + _A10 * 4, "fig¦d_x"),
    ("token", "airtable", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", "pa¦t" + _A10 + "a1B2." + _HEX * 4, "pa¦t.x"),
    ("token", "pulumi", r"pul-[0-9a-f]{40}(?!\w)", "pu¦l-" + _HEX * 2 + "0a1b2c3d", "pu¦l-x"),
    ("token", "sonar", r"sq[apu]_[0-9a-f]{40}(?!\w)", "sq¦p_" + _HEX * 2 + "0a1b2c3d", "sq¦p_x"),
    ("token", "prefixed", r"(?:CCIPAT|bkua|nfp|phx|pnu|rdme|rnd|tfp|fo1|fio-u|shippo_live|re)_(?=[\w-]{0,60}\d)[\w-]{30,80}", "nf¦p_" + _A10 * 4, "re_" + "use" * 11, "CC bk nf ph pn rd rn tf fo fi sh re"),
    ("token", "plaid", r"access-(?:sandbox|production|development)-[0-9a-f-]{36}", "access¦-sandbox-0a1b2c3d-4e5f-6789-0a1b-2c3d4e5f6789", "access-production-" + "logs"),
    ("token", "azure-devops", r"(?<![\w/+])[A-Za-z0-9]{75,80}AZDO[A-Za-z0-9]{4}(?!\w)", _A10 * 7 + "a1B2c¦" + "AZDOx1y2", "AZDO", "AZDO"),
    ("token", "azure-secret", r"(?<![\w\x7e.-])[\w\x7e.-]{3}\dQ\x7e[\w\x7e.-]{31,34}(?![\w\x7e.-])", "aB38Q\x7e" + _A10 * 3 + "a", "Q\x7ex", "Q\x7e"),
    ("token", "artifactory", r"AKC[a-z0-9][A-Za-z0-9]{60,80}", "AK¦Cp8" + _A10 * 6, "AK¦Cp8x"),
    ("password", "go-dsn", r"[\w.-]{1,60}:([^\s\"'@/:]{3,100})@(?:tcp|unix)\(", "app:hunt¦er2@tcp(h:3306)", "root@tcp(h)", "@tcp("),
    ("password", "oracle", r"(?<=[\w])/([^\s/@\"']{3,60})@//", "scott/T1g¦er@//ora", "x/y@//", "@//"),
    ("jwt", "jwt", r"eyJ[\w-]{5,8000}+\.eyJ[\w-]{5,8000}+(?:\.[\w-]{0,8000}+)?", "ey¦JhbGciOi.eyJzdWIi.c2ln", "xey¦JhbGciOi.eyJzdWIi"),
    ("jwt", "jwe", r"eyJ[\w-]{20,8000}+\.[\w-]{0,8000}+\.[\w-]{8,8000}+\.[\w-]{8,8000}+\.[\w-]{8,8000}+", "ey¦JhbGciOiJkaXIiLCJlbmMi.." + _A10 + "." + _A10 + "." + _A10, "ey¦Jx.y.z"),
    ("password-hash", "crypt", r"\$(?:1|2[abxy]|5|6|7|y|apr1|argon2i?d?|scrypt)\$[\w./$=,+-]{20,255}", "$¦6$rounds=5000$" + _A10 * 3, "$1$2", "$1 $2 $5 $6 $7 $y $a $s"),
)  # fmt: skip


_WITHIN: Final = frozenset(
    {"telegram", "mailchimp", "terraform", "azure-devops", "azure-secret", "go-dsn", "oracle"}
)
"""Those that are known by what stands within or behind them."""


def _detector(kind: str, name: str, pattern: str, hit: str, miss: str, told: str = "") -> Detector:
    is_within = name in _WITHIN
    # Some say themselves what may stand before them.
    whole = pattern if is_within else rf"{WORD_START}(?:{pattern})"
    compiled = re.compile(whole)
    found = compiled.search(sample(hit))
    head = "" if found is None else found[0][:2]
    return Detector(
        kind=kind,
        name=name,
        pattern=compiled,
        hit=sample(hit),
        miss=sample(miss),
        heads=() if is_within else tuple(told.split()) or (head,),
        within=told if is_within else "",
    )


SHAPES: Final = tuple(_detector(*row) for row in _ROWS)
"""They are looked for in long words alone."""
