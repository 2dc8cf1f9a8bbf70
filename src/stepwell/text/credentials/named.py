"""Credentials that something names: a key of JSON, a variable, an option, a header, a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from stepwell.text.credentials.base import Detector, sample
from stepwell.text.credentials.values import is_basic, is_key, is_password, is_placeholder

if TYPE_CHECKING:
    from stepwell.text.credentials.base import Accepts

__all__ = ["NAMED"]

_MARK = r"\\{0,7}[\"'`]"
_END = (
    rf"(?:(?:{_MARK})?(?:\s\[[^\]\n]{{0,40}}\])?\s{{0,3}}(?::=|=>|[:=：＝](?:\s?[&'\w<>\[\]]{{1,30}}\s?=(?=\s?{_MARK}))?)\s{{0,3}}"
    rf"|{_MARK}(?P<comma>\s{{0,3}},\s{{0,3}})(?={_MARK})|{_MARK}\s{{1,3}}value=)"
)
"""From the end of a name to its value: `"name": `, `name=`, `name => `, `NAME: str = `, escaped or
not; `'NAME', ` as constants are defined; `"name" value=`."""

_BARE = r"[^\s\"'`\\,;&|<>(){}\[\]]"
_VALUE = (
    r"(?:N?(?P<mark>[\"'`])(?P<quoted>(?:\\.|(?!(?P=mark))[^\\\n]){3,4096})(?=(?P=mark))"
    r"|(?P<escaped>\\{1,7}[\"'`])(?P<inner>(?:(?!(?P=escaped))[^\n]){3,4096}?)(?=(?P=escaped))"
    rf"|(?:[|>][+-]?\s{{0,4}}\n\s{{1,20}})?(?P<bare>{_BARE}{{3,4096}})(?![\w.]{{0,80}}[(\[]))"
)
"""A value in quotes, in escaped quotes as within JSON within JSON, or bare and no call."""

_BEFORE = 24
"""Characters in front of a name in which another word may make something else of it."""

_NO_TOKEN: Final = re.compile(
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:next|prev(?:ious)?|page|continu\w*|cursor|start|end|max|min|num|total|input|output|prompt"
    r"|completion|cached?|reasoning|first|last|stop|[ebp]os|unk|mask|sep|cls|special|invalid|expected"
    r"|unknown|bad|illegal|current|sync|each|every|same|per|of|n|cancel(?:lation)?)[ _-]{0,2}$"
)
_NO_KEY: Final = re.compile(
    r"(?:public|primary|foreign|sort|partition|cache|idempotency)[ _-]?$", re.IGNORECASE
)
_DRAWN: Final = re.compile(r"\d{3}|[^\W\d].*\d|[!@#$%^&*+~]")
_INTERPOLATED: Final = re.compile(r"\$\{\w*$")
_SUFFIX = r"(?:_(?:PROD|DEV|TEST|STAGING|STAGE|LIVE|OLD|NEW|MAIN|ROOT|ADMIN|USER|DB|\d{1,2})){0,2}"


def _accepted(kind: str) -> Accepts:
    """Return what judges the value behind a name."""
    judge = is_password if kind.startswith("password") else is_key
    unlike = {"token": _NO_TOKEN, "api-key": _NO_KEY}.get(kind)

    def accepts(match: re.Match[str]) -> bool:
        text, start = match.string, match.start()
        if unlike is not None and unlike.search(text[max(0, start - _BEFORE) : start]):
            return False
        quoted, bare = match["quoted"] or match["inner"], match["bare"]
        is_variable = text[start : start + 3].isupper()
        if (match["comma"] and not is_variable) or _INTERPOLATED.search(
            text[max(0, start - _BEFORE) : start]
        ):
            return False
        if quoted is not None:
            is_phrase = is_variable and " " in quoted and is_password(quoted, is_quoted=True)
            return is_phrase or judge(quoted, is_quoted=True)
        if not text[start].isascii():  # a sentence of that language stands behind it as often
            return judge(bare) and _DRAWN.search(bare) is not None
        return judge(bare, is_set=is_variable and text[match.start("bare") - 1] == "=")

    return accepts


def _named(
    kind: str, name: str, starts: str, rest: str, hit: str, miss: str, behind: str = ""
) -> Detector:
    """Return the detector of values behind names that begin so, go on so, and end what is before."""
    words = [word.replace("+", " ") for word in starts.split()]
    pattern = rf"(?i:(?:{'|'.join(map(re.escape, words))})(?:{rest}))(?:{_SUFFIX})?(?i:{_END})"
    return Detector(
        kind=kind,
        name=name,
        pattern=re.compile(pattern + _VALUE),
        hit=sample(hit),
        miss=sample(miss),
        starts=tuple(words),
        accepts=_behind(behind, _accepted(kind)) if behind else _accepted(kind),
    )


def _plain(
    kind: str, name: str, starts: str, pattern: str, hit: str, miss: str, accepts: Accepts | None
) -> Detector:
    return Detector(
        kind=kind,
        name=name,
        pattern=re.compile(pattern),
        hit=sample(hit),
        miss=sample(miss),
        starts=tuple(starts.split("|")),
        accepts=accepts,
    )


def _behind(before: str, accepts: Accepts, *, most: int = 40) -> Accepts:
    """Return what accepts a match only behind some text on its line.

    Args:
        before: The pattern of that text, up to its end.
        accepts: What else has to be so.
        most: Characters that are looked back.
    """
    ends = re.compile(f"(?:{before})$", re.IGNORECASE)

    def is_behind(match: re.Match[str]) -> bool:
        start = match.start()
        line = match.string[max(0, start - most) : start].rpartition("\n")[2]
        return ends.search(line) is not None and accepts(match)

    return is_behind


def _last(match: re.Match[str]) -> str:
    return match[match.lastindex or 0]


def _is_no_placeholder(match: re.Match[str]) -> bool:
    return not is_placeholder(_last(match))


def _is_password(match: re.Match[str]) -> bool:
    return is_password(_last(match))


def _is_given(match: re.Match[str]) -> bool:
    """Judge what a command is given as a password: any word, but no variable and no path."""
    return is_password(_last(match), is_set=True, is_quoted=" " in _last(match))


def _is_option_key(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - _BEFORE) : match.start()]
    return is_key(_last(match)) and not _NO_TOKEN.search(before)


def _is_drawn(match: re.Match[str]) -> bool:
    """Judge a word behind which a sentence may go on: it holds letters and digits."""
    value = _last(match)
    return is_password(value) and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_cookie(match: re.Match[str]) -> bool:
    return is_key(_last(match)) or (len(_last(match)) >= 12 and is_password(_last(match)))  # noqa: PLR2004


_WORD = r"(?:\\{0,7}\"([^\"\\\n]{3,200})|\\{0,7}'([^'\\\n]{3,200})|([^\s\"'`\\;|&<>()]{3,200}))"
_CALLED = r"[^\n|;&]{0,200}?\s"
_CLIENTS = (
    r"\b(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|7za?|zip|unzip|unrar|redis-cli|ldap\w+|kadmin|smbclient|sqlcmd|evil-winrm"
    r"|(?:docker|podman|az|helm registry|skopeo|oras|crane|buildah|nerdctl) login)\b[^|;]*"
)
_PEM_KIND = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_PEM_LINE = r"(?:(?:\\[rnt]|[\r\n \t>|+\d:,\"'#*-]){1,40}[A-Za-z0-9+/=]{16,})"

_ABROAD: Final = (
    *(
        "парол",
        "密码",
        "密碼",
        "パスワード",
        "비밀번호",
        "암호",
        "contraseña",
        "kennwort",
        "senha",
        "heslo",
    ),
    *(
        "hasło",
        "parola",
        "şifre",
        "wachtwoord",
        "lösenord",
        "jelszó",
        "كلمة المرور",
        "סיסמה",
        "mật khẩu",
    ),
    *("รหัสผ่าน"),
)
"""What a password is called, in lower case."""

NAMED: Final = (
    _named(
        "password", "password", "pass", r"(?:w(?:or[dt]|d)\d?|e(?=\s?[:=])|[ _-]?phrase|code)(?: (?:for|of) [^\n:]{1,80}(?:://[^\n:]{1,80})?)?",
        "db_password=corr3ct", "password: required",
    ),
    _named("password", "pass", "pass", "", "DB_PASS=hunter", "test_pass = true", r"[_\"'-]|^\s*"),
    _named("password", "psk", "psk", "", 'psk="guest h0use"', "psk: none"),
    _named("secret", "mnemonic", "mnemonic", "", 'MNEMONIC="le9al winner"', "mnemonic: none"),
    _named("password", "pwd", "pw", "d?", "DB_PWD=hunter", "pwd: /home/dev"),
    _named("secret", "credential", "credential", "s?", 'credentials: "al1ce:pw42x"', "credentials: 'same-origin'"),
    _named(
        "password", "password-abroad",
        " ".join(word.replace(" ", "+") for word in _ABROAD),
        r"[ья]?(?:\s(?:est|es|ist|lautet|é|è|jest|je|är|er)(?=\s))?", "Пароль: Секрет7", "Пароль: обязательное поле",
    ),
    _named(
        "secret", "secret", "secret", r"(?:s|(?:[_ -]?(?:access|key|token|value|string|base)){1,3})?",
        "client_secret: s3cr3tvalue", "secret: santa",
    ),
    _named("token", "token", "token", r"(?:[_-]?(?:value|secret|key))?", '"token": "abc123def"', "next_token: page-2"),
    _named(
        "api-key", "key", "key", r"(?: \d{1,2}|[_-]?(?:id|value|data|hex|base64|pem))?", "X-Api-Key: 0a1b2c3d4e",
        "primary_key: 0a1b2c3d4e",
        r"(?:api|app|access|private|encryption|signing|master|account|auth|shared|subscription|consumer|session"
        r"|license|storage|service|secret|webhook|hmac|jwt|client|admin|root|deploy|ssh|aes|crypto|cipher|application|unseal|recovery)[ _-]?",
    ),
    _named("api-key", "key-variable", "key", "", "STRIPE_KEY=a1B2c3D4e5f6", "title_key: 0a1b2c3d4e", "(?-i:[A-Z0-9]_)"),
    _named("token", "auth", "auth", r"(?:[_-]?(?:token|key|secret))?", '"auth": "a1B2c3D4e5"', "oauth_auth: none"),
    _plain(
        "password", "auth-pair", "auth", rf"\w{{4}}[=:(\[ ]{{1,3}}\s{{0,3}}{_MARK}[^\"'\n]{{1,80}}{_MARK}\s{{0,3}},\s{{0,3}}{_MARK}([^\"'\n]{{3,200}}?){_MARK}",
        "auth=('alice', 'tiger-lily')", "auth=(user, password)", _is_no_placeholder,
    ),
    _plain(
        "password", "xml", "pass|pw|secret|token|key", r"\w{3,40}>([^<>\n]{3,200})</",
        "<password>Mav3n</password>", "<password>${env.PW}</password>", _behind(r"<[\w.:-]{0,30}", lambda match: is_password(_last(match), is_quoted=True)),
    ),
    _plain(
        "token", "signature", "sig=|signature=|x-amz-security-token=", r"[\w-]{3,24}=([\w%+/=.-]{16,2048})",
        "&sig=a1B2c3%2FD4e5F6g7H8", "signature=none", lambda match: is_key(_last(match)),
    ),
    _named("token", "key-data", "client-key-data", "", "client-key-data: a1B2c3D4e5F6", "client-key-data: none"),
    _plain(
        "authorization", "authorization", "auth",
        rf"(?i:authorization|auth-(?:token|key)|auth(?=[\"']))(?:{_MARK})?\s{{0,3}}(?:[:=,]\s{{0,3}}){{1,2}}(?:{_MARK})?"
        r"(?i:(?:basic|bearer|token|apikey|api-key|key|bot|negotiate|sso-key|splunk|genie\w*|aws4\S*)[ =]{1,3})?"
        r"([\w.~+/=:-]{6,8192})",
        "Authorization: Basic YWxpY2U6aHVudGVyMjI=", "Authorization: none",
        lambda match: is_key(_last(match)) or is_basic(_last(match)),
    ),
    _plain(
        "authorization", "digest", "digest ", r"(?i:digest )[^\n]{0,400}?response=\\{0,7}\"?([0-9a-f]{32,128})",
        'Digest username="a", response="0a1b2c3d4e5f67890a1b2c3d4e5f6789"', "digest sha256", None,
    ),
    _plain(
        "bearer", "bearer", "bearer ", r"(?i:bearer) {1,3}([\w.~+/-]{16,4096}={0,2})",
        "Bearer a1b2c3d4e5f6g7h8", "bearer authentication", lambda match: is_key(_last(match)),
    ),
    _plain(
        "authorization", "basic", "basic ", r"(?i:basic) {1,3}([A-Za-z0-9+/]{8,4096}={0,2})",
        "Basic YWxpY2U6aHVudGVyMjI=", "basic authentication", lambda match: is_basic(_last(match)),
    ),
    _plain(
        "cookie", "cookie", "cookie",
        rf"(?i:cookie)(?:{_MARK})?\s{{0,3}}[:=,]\s{{0,3}}(?:{_MARK})?(?:[\w.-]{{1,60}}=[^;\s\"'`]{{0,60}};\s?){{0,12}}?"
        r"[\w.-]{1,60}=([^;\s\"'`\\]{6,4096})",
        "Set-Cookie: session=a1B2c3D4e5f6; Path=/", "Cookie: theme=dark; lang=en", _is_cookie,
    ),
    _plain(
        "password", "url", "://",
        r"://[^\s/:@\[\"'<>\\]{0,100}+:(?![$<{*%\[])([^\s/\"'<>\\]{1,200})@(?=[\w.\[-])",
        "postgres://app:hunter2@db", "http://localhost:8080/@here", _is_no_placeholder,
    ),
    _plain(
        "token", "url-token", "://", r"://([\w.~%-]{12,255}+)(?::|:x-oauth-basic)?@(?=[\w.-])",
        "https://a1B2c3D4e5f6g7@host.test", "ssh://deployment@host", lambda match: is_key(_last(match)),
    ),
    _plain(
        "password", "option", "pass|pw",
        rf"(?i:passw(?:or)?d|pass(?:phrase)?|pw)(?![\w-])(?:[ =]{{1,3}}|{_MARK}\s{{0,3}},\s{{0,3}}(?={_MARK})){_WORD}",
        "--password hunter", "--password-file /run/secrets/pw", _behind(r"(?:^|\s)--?[\w-]{0,30}", _is_given),
    ),
    _plain(
        "token", "option-key", "token|secret|key|credential",
        rf"(?i:\w{{3,10}})(?:[ =]{{1,3}}|{_MARK}\s{{0,3}},\s{{0,3}}(?={_MARK})){_WORD}",
        "--api-key a1B2c3D4e5", "--sort-key created_at", _behind(r"--[\w-]{0,30}", _is_option_key),
    ),
    _plain(
        "password", "client", " -", rf" -[pPaw] ?(?!\d+(?:[:\s]|$)){_WORD}", "mysql -u root -phunter2",
        "mysql -h db -P 3306", _behind(_CLIENTS, _is_given, most=300),
    ),
    _plain(
        "password", "user-option", " -",
        r" (?:-u|--user|--auth|--proxy-user)[ =]?"
        r"(?:\\{0,7}\"[\w.@+-]{1,80}:([^\"\\\n]{3,200})|\\{0,7}'[\w.@+-]{1,80}:([^'\\\n]{3,200})"
        r"|[\w.@+-]{1,80}:(?!//)([^\s\"'`\\;|&<>()]{3,200}))",
        "curl -u alice:hunter2 https://h.test", "docker run -u 1000:1000 nginx",
        _behind(r"\b(?:curl|wget|https?|xh|svn|oras|crane|rclone|lftp)\b[^|]*", _is_given, most=300),
    ),
    _plain(
        "password", "netrc", "machine ",
        r"machine\s{1,8}\S{1,200}\s{1,20}login\s{1,8}\S{1,200}\s{1,20}(?:account\s{1,8}\S{1,200}\s{1,20})?password\s{1,8}(\S{1,200})",
        "machine h.test login al password hunter", "machine learning", None,
    ),
    _plain(
        "password", "pgpass", ":5432:|:5433:", r":(?:\d{4}):[^\s:]{1,80}:[^\s:]{1,80}:(\S{3,200})",
        "db.test:5432:app:al:hunter", "localhost:5432:5432", _is_no_placeholder,
    ),
    _plain(
        "password", "sql", "identified ",
        r"(?i:identified\s{1,3}(?:with\s{1,3}\S{1,60}\s{1,3})?by(?:\s{1,3}password)?\s{1,3})"
        r"(?:'((?:[^'\n]|''){3,200})'|\"([^\"\n]{3,200})\"|([\w$#]{0,60}\d[\w$#]{0,60}))",
        "CREATE USER a IDENTIFIED BY 'hunter'", "identified by the team", _is_no_placeholder,
    ),
    _plain(
        "password", "sql-set", "pass", r"(?i:password)\s{0,3}[=(]?\s{0,3}N?'((?:[^'\n]|''){3,200})'",
        "ALTER USER a WITH PASSWORD 'hunter'", "SELECT 'password' 'x'",
        _behind(r"(?:with|encrypted|set|for \S{1,80} =|select)\s{1,3}", _is_no_placeholder, most=120),
    ),
    _plain(
        "password", "prose", "pass",
        r"(?i:pass(?:word|wort|phrase|code| phrase)s?)\b(?:[^\n:=.;?!]{0,40}?\b(?i:is|was|to|are|ist|es|lautet|è|é|est|use)\b:?|)"
        r"\s{1,2}[\"'`]?([^\s\"'`,;()]{5,200}?)(?=[\"'`,;\s]|[.!?](?:\s|$)|$)",
        "the staging password is hunter22, keep it", "the password is 12 characters long", _is_drawn,
    ),
    _plain(
        "password", "prose-told", "pass", r"(?i:passw(?:ord|ort))\b[^\n:=()]{1,60}: {1,3}([^\s\"'`,()]{8,200})",
        "temporary password is generated for root@localhost: u;Yh4k-sQ", "password rules: see https://h.test/p4ge",
        _is_drawn,
    ),
    _plain(
        "password", "prose-abroad", "|".join((*_ABROAD, "passe ", "passwort ")),
        r"[\w ]{2,16}?(?:\s(?:est|es|ist|is|lautet|é|è|jest|je|är|er|это)\b|は|是|为|為|\s)[\s:：]{0,3}[\"'`«「“]?"
        r"([^\s\"'`,;»」”。]{5,200}?)(?=[\"'`,;»」”。\s]|[.!?](?:\s|$)|$)",
        "mot de passe est hunter22", "contraseña es obligatoria", _is_drawn,
    ),
    _plain(
        "password", "variable-spaced", "pass|token|secret|key", rf"[A-Z_]{{3,12}}\d? {_WORD}", "ENV ADMIN_PASSWORD hunter",
        "ENV is PASSWORD protected", _behind(r"(?:ENV|set -\w+|setenv) [A-Z0-9_]{0,40}", _is_given),
    ),
    _plain(
        "password", "form", "pass|pw|secret|token", r"\w{2,20}[\"']\r?(?:\\r)?(?:\n|\\n)\r?(?:\\r)?(?:\n|\\n)([^\s\\]{3,200})",
        'name="password"\r\n\r\nhunter', 'name="password" type="x"', _behind(r"name=\\?[\"']\w{0,20}", _is_given),
    ),
    _plain(
        "cookie", "session", "sess", r"(?i:sess(?:ion)?_?(?:id)?)[=\t][\"']?([\w%+/=.-]{16,4096})", "PHPSESSID=d1a9pld7tkrfnigf5i",
        "session: none", _behind(r"(?:php|j|asp\S{0,12}|[;?&]\s?)", lambda match: is_key(_last(match))),
    ),
    _plain(
        "cookie", "cookie-option", " -b |--cookie ", r" ?-{1,2}(?:b|cookie) [\"']?[\w.-]{1,60}=([^;\s\"']{6,4096})",
        "curl -b 'sid=d1a9pld7tkrf'", "sort -b -k 2", _is_cookie,
    ),
    _plain(
        "authorization", "sasl", "auth plain |auth login ", r"(?i:auth (?:plain|login)) ([A-Za-z0-9+/]{8,1024}={0,2})",
        "AUTH PLAIN AG1haWxlcgBQbDRpbg==", "auth plain text", lambda match: is_key(_last(match)),
    ),
    _plain(
        "secret", "docker-config", "dockerconfigjson", r"(?i:dockerconfigjson)[\"']?: {0,3}[\"']?([A-Za-z0-9+/=]{16,100000})",
        ".dockerconfigjson: eyJhdXRocyI6e30xMjM0", "dockerconfigjson: none", None,
    ),
    _plain(
        "private-key", "jwk", '"d"', r"\"d\"\s?:\s?\"([\w-]{40,1024})\"", '"d":"a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5"', '"d": "data"', None,
    ),
    _plain(
        "password", "secure-string", "securestring ", r"(?i:securestring) (?:-String )?[\"']([^\"'\n]{3,200})[\"']", "ConvertTo-SecureString 'hunter'",
        "SecureString is safe", None,
    ),
    _plain(
        "password", "sudo", "echo ", r"echo (?:-n |-e )?[\"']?(?:[\w.-]{1,60}:)?([^\s\"'|:]{3,100})[\"']? ?\| ?(?:sudo -[A-Za-z]{0,4}S|chpasswd|passwd --stdin|\S+ login)",
        "echo hunter | sudo -S ls", "echo done | sudo tee x", _is_no_placeholder,
    ),
    _plain(
        "password", "pass-in", "pass", r"pass:([^\s\"'`;|&]{3,200})", "openssl -passin pass:hunter2", "pass: 12 tests",
        _is_password,
    ),
    _plain(
        "private-key", "pem", "-----begin ",
        rf"-----BEGIN {_PEM_KIND}(?:(?:[^-]|-(?!-{{4}})){{0,20000}}+-----END [A-Z0-9 ]{{0,60}}-----|(?:{_PEM_LINE}){{0,400}}(?:(?:\\[rn]|[\r\n]){{1,4}}[\w+/=]{{0,76}})?)",
        "-----BEGIN RSA PRIVATE¦ KEY-----\nMIIB\n-----END RSA PRIVATE¦ KEY-----", "-----BEGIN CERTIFICATE-----", None,
    ),
    _plain(
        "private-key", "putty", "private-lines", r"(?i:private-lines): \d{1,3}(?:\\[rn]|[\r\n]){1,4}((?:[A-Za-z0-9+/=]{4,80}(?:\\[rn]|[\r\n]){0,4}){1,200})",
        "Private-Lines: 1\na1B2c3D4e5F6g7H8", "Private-Lines: none", None,
    ),
)  # fmt: skip
"""Tried where a literal stands, in lower case; among those of one place the longest wins."""
