"""First test set for a credential redactor: made-up credentials and innocent look-alikes.

SECRETS  : (name, text, secret) - `secret` is the part of `text` which must not survive.
           Where a credential has several parts (spaces, quotes, dots) it is the part most
           easily left behind, so its absence is what to ask for.
INNOCENT : (name, text) - must come out unchanged.

All values are invented; they are put together at run time so that scanners leave this file alone.
"""

_LOW = "abcdefghijklmnopqrstuvwxyz"
_UP = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIG = "0123456789"
_AN = _UP + _LOW + _DIG
_HEX = "0123456789abcdef"
_B64 = _AN + "+/"
_URL = _AN + "-_"
_B32 = _LOW + "234567"


def _r(seed: int, n: int, abc: str = _AN) -> str:
    """n characters of abc, always the same ones for the same seed."""
    x = (seed * 2654435761 + 97531) % 2147483647
    out = ""
    for _ in range(n):
        x = (x * 48271) % 2147483647
        out += abc[(x >> 7) % len(abc)]
    return out


def _b64(text: str, url: bool = False) -> str:
    data = text.encode("utf-8")
    abc = _URL if url else _B64
    out = ""
    for i in range(0, len(data), 3):
        part = data[i : i + 3]
        n = int.from_bytes(part + b"\0" * (3 - len(part)), "big")
        four = "".join(abc[(n >> s) & 63] for s in (18, 12, 6, 0))
        keep = len(part) + 1
        out += four[:keep] + ("" if url else "=" * (4 - keep))
    return out


def _uuid(seed: int) -> str:
    h = _r(seed, 32, _HEX)
    return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]


def _lines(seed: int, n: int, width: int = 64) -> list[str]:
    return [_r(seed + 1000 * i, width, _B64) for i in range(n)]


SECRETS: list[tuple[str, str, str]] = []
INNOCENT: list[tuple[str, str]] = []


def _s(name: str, text: str, secret: str) -> None:
    """`@@` in text stands for the secret."""
    SECRETS.append((name, text.replace("@@", secret), secret))


def _i(name: str, text: str) -> None:
    INNOCENT.append((name, text))


# ---- code hosting -------------------------------------------------------------------------
_s("github-ghp-export", "$ export GITHUB_TOKEN=@@\n$ gh repo list", "ghp_" + _r(1, 36))
_s("github-ghp-bare-in-prose", "I used @@ for the push, it has repo scope.", "ghp_" + _r(2, 36))
_s(
    "github-gho-gh-auth-status",
    "github.com\n  ✓ Logged in to github.com account alice (/home/alice/.config/gh/hosts.yml)\n  - Token: @@\n  - Token scopes: 'gist', 'repo'",
    "gho_" + _r(3, 36),
)
_s(
    "github-ghs-checkout-extraheader",
    "git -c http.extraheader='AUTHORIZATION: basic @@' fetch --depth=1 origin main",
    _b64("x-access-token:" + "ghs_" + _r(4, 36)),
)
_s(
    "github-ghs-clone-url",
    "Cloning into 'app'...\nfatal: unable to access 'https://x-access-token:@@@github.com/acme/app.git/': The requested URL returned error: 403",
    "ghs_" + _r(5, 36),
)
_s(
    "github-fine-grained-yaml",
    "github:\n  user: alice\n  pat: @@\n",
    "github_pat_" + "11A" + _r(6, 19) + "_" + _r(7, 59),
)
_s(
    "github-authorization-token",
    "> GET /user HTTP/2\n> Host: api.github.com\n> authorization: token @@\n> accept: */*",
    "ghp_" + _r(8, 36),
)
_s(
    "github-old-hex-token",
    "curl -H 'Authorization: token @@' https://api.github.com/user/repos",
    _r(9, 40, _HEX),
)
_s(
    "github-token-at-host",
    "origin\thttps://@@@github.com/acme/infra.git (fetch)",
    "ghp_" + _r(10, 36),
)
_s(
    "gitlab-glpat-header",
    'curl --header "PRIVATE-TOKEN: @@" "https://gitlab.com/api/v4/projects"',
    "glpat" + "-" + _r(11, 20, _URL.replace("-", "")),
)
_s(
    "gitlab-oauth2-url",
    "git clone https://oauth2:@@@gitlab.example.org/group/repo.git",
    "glpat" + "-" + _r(12, 20),
)

# ---- options on the command line ------------------------------------------------------------
_s(
    "opt-password-space",
    "$ docker login registry.acme.io --username ci --password @@",
    "Wint3r-Sturm88",
)
_s(
    "opt-password-equals",
    "$ wget --user=bob --password=@@ https://files.acme.io/a.tgz",
    "kJ9#vexLmQ2",
)
_s(
    "opt-password-single-quoted-spaces",
    "$ influx setup --username admin --password 'correct horse battery staple' --org acme",
    "horse battery staple",
)
_s(
    "opt-password-double-quoted-semicolon",
    '$ mc alias set minio http://10.0.0.5:9000 admin --password "@@"',
    "Zx!4mount;ain",
)
_s("opt-mysql-pX", "$ mysql -h db1 -u root -p@@ shop -e 'select 1'", "S3cr3tRoot99")
_s(
    "opt-mysqldump-quoted-p",
    "$ mysqldump -uroot -p'@@' --all-databases > /tmp/all.sql",
    "Dump!ng_Gr0und",
)
_s(
    "opt-curl-u",
    "$ curl -sS -u jenkins:@@ https://ci.acme.io/job/build/api/json",
    "11" + _r(20, 32, _HEX),
)
_s(
    "opt-curl-user-long-quoted",
    "$ curl --user 'bob:@@' https://nexus.acme.io/service/rest/v1/status",
    "pa:55 w0rd",
)
_s("opt-token-space", "$ vercel deploy --prod --token @@", _r(21, 24))
_s(
    "opt-token-equals",
    "$ sonar-scanner --token=@@ -Dsonar.projectKey=acme",
    "sqp_" + _r(22, 40, _HEX),
)
_s(
    "opt-sshpass-p",
    "$ sshpass -p @@ ssh -o StrictHostKeyChecking=no deploy@10.1.2.3 uptime",
    "d3ploy-Me-N0w",
)
_s("opt-sshpass-quoted", "$ sshpass -p 'two words!' scp a.tgz root@10.1.2.4:/srv", "words!")
_s(
    "opt-docker-login-short-p",
    "$ docker login -u acmebot -p @@ docker.io\nLogin Succeeded",
    "dckr_" + "pat_" + _r(23, 27, _URL.replace("-", "")),
)
_s("opt-api-key", "$ algolia --api-key @@ indices list", _r(24, 32, _HEX))
_s(
    "opt-client-secret",
    "az login --service-principal -u " + _uuid(25) + " --client-secret @@ --tenant " + _uuid(26),
    _r(27, 3) + "8Q~" + _r(28, 34),
)
_s("opt-redis-cli-a", "$ redis-cli -h cache.acme.io -a @@ ping\nPONG", "r3disPa55phrase")
_s(
    "opt-helm-set",
    "helm upgrade --install pg bitnami/postgresql --set auth.postgresPassword=@@,persistence.size=8Gi",
    "hElm" + _r(29, 10),
)

# ---- files with credentials ------------------------------------------------------------------
_s("netrc-one-line", "machine api.heroku.com login bob@acme.io password @@", _uuid(30))
_s(
    "netrc-many-lines",
    "$ cat ~/.netrc\nmachine github.com\n  login alice\n  password @@\n",
    "ghp_" + _r(31, 36),
)
_s("pgpass", "$ cat ~/.pgpass\ndb1.acme.io:5432:shop:shopuser:@@\n", "0raNge_Kettle")
_s("npmrc-authtoken", "//registry.npmjs.org/:_authToken=@@\nalways-auth=true", "npm_" + _r(32, 36))
_s(
    "npmrc-auth-base64",
    "registry=https://npm.acme.io/\n_auth=@@\nemail=ci@acme.io",
    _b64("ci:" + "Gr33nBuilds!"),
)
_s(
    "pypirc",
    "[distutils]\nindex-servers = pypi\n\n[pypi]\nusername = __token__\npassword = @@\n",
    "pypi-" + "AgEIcHlwaS5vcmc" + _r(33, 150, _URL),
)
_s(
    "docker-config-auth",
    '{\n\t"auths": {\n\t\t"https://index.docker.io/v1/": {\n\t\t\t"auth": "@@"\n\t\t}\n\t}\n}',
    _b64("acmebot:" + "whale-Song-42"),
)
_s("kubeconfig-token", "users:\n- name: admin\n  user:\n    token: @@\n", _r(34, 48))
_s(
    "kubeconfig-client-key-data",
    "users:\n- name: kubernetes-admin\n  user:\n    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t\n    client-key-data: @@\n",
    _b64("-----BEGIN RSA " + "PRIVATE KEY-----\n" + "\n".join(_lines(35, 3)) + "\n"),
)
_s(
    "kubectl-secret-yaml",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: YWRtaW4=\n  password: @@\n",
    _b64("mUlberry-Tr33s"),
)
_s(
    "aws-credentials-file-secret",
    "[default]\naws_access_key_id = AKIA"
    + _r(36, 16, _UP + "234567")
    + "\naws_secret_access_key = @@\n",
    _r(37, 40, _B64),
)
_s(
    "aws-credentials-file-akia",
    "[default]\naws_access_key_id = @@\naws_secret_access_key = "
    + _r(38, 40, _B64)
    + "\nregion = eu-west-1\n",
    "AKIA" + _r(39, 16, _UP + "234567"),
)
_s("cargo-credentials-toml", '[registry]\ntoken = "@@"\n', "cio" + _r(40, 32))
_s(
    "gem-credentials",
    "$ cat ~/.gem/credentials\n---\n:rubygems_api_key: @@\n",
    "rubygems_" + _r(41, 48, _HEX),
)
_s(
    "toml-quoted-password",
    '[database]\nhost = "db"\nport = 5432\npassword = "@@"  # rotate in May\n',
    "p#nc1l & paper",
)
_s(
    "yaml-password-unquoted",
    "postgres:\n  host: db\n  user: app\n  password: @@\n  sslmode: require\n",
    "Lemon7Grass!",
)
_s("dotenv-pass", "APP_ENV=production\nSMTP_HOST=smtp.acme.io\nSMTP_PASS=@@\n", "m4il-m3-m0re")
_s("dotenv-pwd", "DB_USER=sa\nDB_PWD=@@\nDB_PORT=1433", "Adm1n#2024x")
_s("dotenv-key", "PAYMENTS_API_KEY=@@", _r(42, 32))
_s(
    "dotenv-secret-quoted",
    'SESSION_SECRET="keyboard cat on the 7th roof"\nPORT=3000',
    "cat on the 7th roof",
)
_s(
    "env-dump",
    "$ env | sort\nHOME=/root\nJWT_SECRET=@@\nLANG=C.UTF-8\nPATH=/usr/bin:/bin",
    _r(43, 44, _B64),
)
_s(
    "docker-inspect-env",
    '"Env": [\n    "PATH=/usr/local/bin:/usr/bin",\n    "POSTGRES_PASSWORD=@@",\n    "PGDATA=/var/lib/postgresql/data"\n]',
    "bl4ck-C0ffee",
)
_s(
    "maven-settings-xml",
    "<server>\n  <id>nexus</id>\n  <username>deploy</username>\n  <password>@@</password>\n</server>",
    "Mav3n-Ant",
)
_s(
    "spring-properties",
    "spring.datasource.username=app\nspring.datasource.password=@@\n",
    "spr1ngT1me_x",
)

# ---- HTTP -----------------------------------------------------------------------------------
_s(
    "http-basic",
    "> GET / HTTP/1.1\n> Host: intranet\n> Authorization: Basic @@\n> User-Agent: curl/8.5.0",
    _b64("alice:" + "0pen-Sesame!"),
)
_s("http-bearer-opaque", "Authorization: Bearer @@", _r(50, 43, _URL))
_s(
    "http-bearer-json-headers",
    '{"headers": {"Authorization": "Bearer @@", "Accept": "application/json"}}',
    _r(51, 64, _HEX),
)
_s(
    "http-digest",
    'Authorization: Digest username="bob", realm="cam", nonce="'
    + _r(52, 32, _HEX)
    + '", uri="/img", qop=auth, nc=00000001, cnonce="0a4f113b", response="@@"',
    _r(53, 32, _HEX),
)
_s("http-cookie-session", "Cookie: theme=dark; sessionid=@@; lang=en", _r(54, 32, _LOW + _DIG))
_s(
    "http-set-cookie",
    "< HTTP/2 200\n< set-cookie: connect.sid=s%3A@@; Path=/; HttpOnly; SameSite=Lax",
    _r(55, 32, _URL) + "." + _r(56, 43),
)
_s("http-x-api-key", "curl -H 'X-Api-Key: @@' https://api.acme.io/v2/items", _r(57, 32))
_s(
    "http-query-access-token",
    'GET /v1/me?fields=id,name&access_token=@@&limit=5 HTTP/1.1" 200 512',
    _r(58, 40),
)
_s(
    "jwt-signature",
    "set-header: x-auth eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    + _b64('{"sub":"42","name":"Ann","exp":1760000000}', True)
    + ".@@",
    _r(59, 43, _URL),
)
_s(
    "jwt-whole-in-json",
    '{"id_token":"@@","token_type":"Bearer","expires_in":3600}',
    "eyJhbGciOiJSUzI1NiJ9."
    + _b64('{"iss":"https://idp.acme.io","aud":"web"}', True)
    + "."
    + _r(60, 86, _URL),
)
_s(
    "kube-sa-token",
    "$ cat /var/run/secrets/kubernetes.io/serviceaccount/token\n"
    + "eyJhbGciOiJSUzI1NiIsImtpZCI6IlhZIn0."
    + _b64(
        '{"iss":"kubernetes/serviceaccount","sub":"system:serviceaccount:default:default"}', True
    )
    + ".@@",
    _r(61, 342, _URL),
)

# ---- clouds ---------------------------------------------------------------------------------
_s(
    "aws-sts-json-secret",
    '{\n  "Credentials": {\n    "AccessKeyId": "ASIA'
    + _r(70, 16, _UP + "234567")
    + '",\n    "SecretAccessKey": "@@",\n    "Expiration": "2025-05-01T12:00:00Z"\n  }\n}',
    _r(71, 40, _B64),
)
_s(
    "aws-session-token-export",
    "export AWS_SESSION_TOKEN=@@",
    "IQoJb3JpZ2luX2Vj" + _r(72, 320, _B64) + "==",
)
_s(
    "azure-storage-key",
    "DefaultEndpointsProtocol=https;AccountName=acmestore;AccountKey=@@;EndpointSuffix=core.windows.net",
    _r(73, 86, _B64) + "==",
)
_s(
    "azure-sas-sig",
    "https://acmestore.blob.core.windows.net/backup/a.bak?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2025-12-31T00:00:00Z&sig=@@",
    _r(74, 43) + "%3D",
)
_s(
    "azure-client-secret-env",
    "AZURE_TENANT_ID=" + _uuid(75) + "\nAZURE_CLIENT_SECRET=@@",
    _r(76, 3) + "8Q~" + _r(77, 34, _URL),
)
_s(
    "azure-devops-pat",
    "git clone https://acme:@@@dev.azure.com/acme/proj/_git/app",
    _r(78, 52, _B32),
)
_s("gcp-ya29", "$ gcloud auth print-access-token\n@@", "ya29." + "a0Af" + _r(79, 170, _URL))
_s(
    "gcp-gocspx",
    '{"web":{"client_id":"1234567890-abc.apps.googleusercontent.com","client_secret":"@@"}}',
    "GOCSPX" + "-" + _r(80, 28, _URL),
)
_s(
    "gcp-aiza",
    "https://maps.googleapis.com/maps/api/geocode/json?address=Bonn&key=@@",
    "AIza" + "Sy" + _r(81, 33, _URL),
)
_s(
    "gcp-refresh",
    '{\n  "type": "authorized_user",\n  "refresh_token": "@@"\n}',
    "1//0" + "g" + _r(82, 98, _URL),
)
_s(
    "gcp-sa-private-key",
    '{"type": "service_account", "private_key_id": "'
    + _r(83, 40, _HEX)
    + '", "private_key": "-----BEGIN '
    + "PRIVATE KEY-----\\n"
    + "\\n".join(_lines(84, 2))
    + "\\n@@\\n"
    + "-----END "
    + 'PRIVATE KEY-----\\n"}',
    _r(85, 64, _B64),
)
_s("digitalocean", "doctl auth init -t @@", "dop" + "_v1_" + _r(86, 64, _HEX))
_s("heroku-api-key", "HEROKU_API_KEY=@@ heroku apps", _uuid(87))
_s("cloudflare-token", "CLOUDFLARE_API_TOKEN=@@ wrangler deploy", _r(88, 40, _URL))
_s(
    "databricks",
    "[DEFAULT]\nhost = https://adb-1.azuredatabricks.net\ntoken = @@",
    "dapi" + _r(89, 32, _HEX) + "-2",
)
_s(
    "terraform-cloud",
    'credentials "app.terraform.io" {\n  token = "@@"\n}',
    _r(90, 14) + ".atlasv1." + _r(91, 67),
)
_s(
    "vault-hvs",
    "Key                  Value\n---                  -----\ntoken                @@\ntoken_accessor       "
    + _r(92, 24)
    + "\ntoken_duration       768h",
    "hvs." + "CAES" + _r(93, 91, _URL),
)

# ---- services -------------------------------------------------------------------------------
_s(
    "slack-xoxb",
    "slack_client = WebClient(token='@@')",
    "xoxb" + "-" + _r(100, 12, _DIG) + "-" + _r(101, 13, _DIG) + "-" + _r(102, 24),
)
_s(
    "slack-xapp",
    "SLACK_APP_TOKEN=@@",
    "xapp" + "-1-A0" + _r(103, 9, _UP + _DIG) + "-" + _r(104, 13, _DIG) + "-" + _r(105, 64, _HEX),
)
_s(
    "slack-webhook",
    'curl -X POST --data \'{"text":"hi"}\' https://hooks.'
    + "slack.com/services/T0"
    + _r(106, 9, _UP + _DIG)
    + "/B0"
    + _r(107, 9, _UP + _DIG)
    + "/@@",
    _r(108, 24),
)
_s(
    "discord-bot",
    "client.login('@@');",
    "MTA" + _r(109, 21) + "." + "G" + _r(110, 5) + "." + _r(111, 38, _URL),
)
_s(
    "telegram-bot-url",
    "POST https://api.telegram.org/bot@@/sendMessage 200",
    _r(112, 10, "123456789") + ":AA" + _r(113, 33, _URL),
)
_s("stripe-sk-test", 'stripe.api_key = "@@"', "sk_" + "test_" + "51" + _r(114, 97))
_s("stripe-rk-live", "Using key @@ (restricted)", "rk_" + "live_" + _r(115, 24))
_s(
    "stripe-whsec",
    "> Ready! Your webhook signing secret is @@ (^C to quit)",
    "whsec" + "_" + _r(116, 64, _HEX),
)
_s("sendgrid", "Authorization: Bearer @@", "SG." + _r(117, 22, _URL) + "." + _r(118, 43, _URL))
_s(
    "mailgun",
    "curl -s --user 'api:@@' https://api.mailgun.net/v3/mg.acme.io/messages",
    "key-" + _r(119, 32, _HEX),
)
_s(
    "twilio-auth-token",
    "TWILIO_ACCOUNT_SID=AC" + _r(120, 32, _HEX) + "\nTWILIO_AUTH_TOKEN=@@",
    _r(121, 32, _HEX),
)
_s(
    "huggingface",
    "huggingface-cli login --token @@ --add-to-git-credential",
    "hf" + "_" + _r(122, 34),
)
_s(
    "openai-proj",
    "openai.AuthenticationError: Incorrect API key provided: @@. You can find your API key at https://platform.openai.com",
    "sk-" + "proj-" + _r(123, 74, _URL) + "T3Blbk" + "FJ" + _r(124, 74, _URL),
)
_s(
    "anthropic",
    "ANTHROPIC_API_KEY=@@ claude -p 'hello'",
    "sk-" + "ant-api03-" + _r(125, 93, _URL) + "AA",
)
_s(
    "linear",
    "curl -H 'Authorization: @@' https://api.linear.app/graphql",
    "lin" + "_api_" + _r(126, 40),
)
_s("notion-old", "const notion = new Client({ auth: '@@' })", "secret" + "_" + _r(127, 43))
_s("shopify-shpat", "X-Shopify-Access-Token: @@", "shpat" + "_" + _r(128, 32, _HEX))
_s("square", "square_access: @@", "sq0atp" + "-" + _r(129, 22, _URL))
_s(
    "grafana-glsa",
    "grafana-cli --token @@ dashboards ls",
    "glsa" + "_" + _r(130, 32) + "_" + _r(131, 8, _HEX),
)
_s(
    "newrelic-nrak",
    "newrelic profile add --apiKey @@ --region us",
    "NRAK" + "-" + _r(132, 27, _UP + _DIG),
)
_s(
    "sentry-dsn",
    'Sentry.init({ dsn: "https://@@@o447951.ingest.sentry.io/5429219" })',
    _r(133, 32, _HEX),
)
_s(
    "datadog-api-key",
    'DD_API_KEY=@@ DD_SITE=datadoghq.eu bash -c "$(curl -L https://install.datadoghq.com/agent.sh)"',
    _r(134, 32, _HEX),
)
_s("doppler", "doppler secrets --token @@", "dp.pt." + _r(135, 43))

# ---- keys -----------------------------------------------------------------------------------
_s(
    "age-secret-key",
    "# created: 2024-03-01T10:00:00Z\n# public key: age1"
    + _r(140, 58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    + "\n@@\n",
    "AGE-" + "SECRET-KEY-1" + _r(141, 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
)
_s(
    "pem-rsa",
    "-----BEGIN RSA "
    + "PRIVATE KEY-----\n"
    + "\n".join(_lines(142, 3))
    + "\n@@\n"
    + "\n".join(_lines(143, 2))
    + "\n-----END RSA "
    + "PRIVATE KEY-----",
    _r(144, 64, _B64),
)
_s(
    "pem-openssh",
    "$ cat id_ed25519\n-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\n@@\n"
    + _r(145, 70, _B64)
    + "\n-----END OPENSSH "
    + "PRIVATE KEY-----",
    _r(146, 70, _B64),
)
_s(
    "pem-cut-off",
    "-----BEGIN EC " + "PRIVATE KEY-----\n" + _r(147, 64, _B64) + "\n@@\n... (truncated)",
    _r(148, 64, _B64),
)
_s(
    "pgp-private",
    "-----BEGIN PGP "
    + "PRIVATE KEY BLOCK-----\n\n"
    + "\n".join(_lines(149, 3))
    + "\n@@\n="
    + _r(150, 4)
    + "\n-----END PGP "
    + "PRIVATE KEY BLOCK-----",
    _r(151, 64, _B64),
)

# ---- connection strings ---------------------------------------------------------------------
_s(
    "url-https-userinfo",
    "pip install --index-url https://ci:@@@pypi.acme.io/simple acme-core",
    "Wh33lBarrow",
)
_s("url-mysql", "DATABASE_URL=mysql://app:@@@db.acme.io:3306/shop", "tUrn1p-soup")
_s(
    "url-mongodb-srv",
    "MongoServerError: bad auth connecting to mongodb+srv://app:@@@cluster0.ab1cd.mongodb.net/shop?retryWrites=true",
    "M0ngoose%21",
)
_s(
    "url-jdbc-query",
    "jdbc:postgresql://db.acme.io:5432/shop?user=app&password=@@&ssl=true",
    "jDb_C0nnect",
)
_s("url-redis-no-user", "REDIS_URL=redis://:@@@cache.acme.io:6379/0", "c4che-m0ney")
_s(
    "dsn-pwd",
    "Driver={ODBC Driver 18 for SQL Server};Server=tcp:sql.acme.io,1433;Uid=sa;Pwd=@@;Encrypt=yes;",
    "Sql!Serv3r9",
)
_s(
    "libpq-dsn-in-trace",
    '  File "app.py", line 12, in <module>\n    conn = psycopg2.connect("host=db dbname=shop user=app password=@@")\npsycopg2.OperationalError: connection refused',
    "pIstach10",
)

# ---- code, SQL, JSON ------------------------------------------------------------------------
_s("sql-identified-by", "CREATE USER 'shop'@'%' IDENTIFIED BY '@@';", "br1ck-and-M0rtar")
_s("json-password", '{"username": "alice", "password": "@@", "remember": true}', "n1ght-Owl77")
_s(
    "json-escaped-in-json",
    r'{"body": "{\"username\": \"alice\", \"password\": \"@@\"}", "status": 200}',
    "f0ggyM0rning",
)
_s(
    "json-twice-escaped",
    r'{"msg":"{\"body\":\"{\\\"client_secret\\\":\\\"@@\\\"}\"}"}',
    _r(160, 32),
)
_s("json-password-with-quote", r'{"password": "Ab\"@@", "user": "x"}', "Qk77-tail")
_s(
    "python-dict-repr",
    "DEBUG config = {'host': 'db', 'user': 'app', 'password': '@@', 'port': 5432}",
    "h0ney-Bee-5",
)
_s("python-requests-auth", "r = requests.get(url, auth=('alice', '@@'), timeout=5)", "t1ger-L1ly")
_s("go-struct", 'cfg := Config{User: "app", Password: "@@", Addr: "db:3306"}', "g0pher-H0le")
_s("js-const", "const apiSecret = '@@';", _r(161, 40))
_s("set-x-trace", "+ PGPASSWORD=@@\n+ psql -h db -U app -c 'select 1'", "x-Tr4ce-m3")
_s(
    "data-url-base64-text",
    'href="data:text/plain;base64,@@"',
    _b64("host=db\nuser=app\npassword=" + "Sunny-Side-Up-9" + "\n"),
)

# ---- passwords that are plain words or digits ----------------------------------------------
_s("word-curl-u", "$ curl -u bob:@@ http://nas.local/api/files", "swordfish")
_s("word-url-userinfo", "wget https://bob:@@@files.acme.io/drop/a.zip", "pineapple")
_s("word-json", '{"user": "bob", "password": "@@"}', "dragonfly")
_s("word-pgpassword-prefix", "PGPASSWORD=@@ pg_dump -h db -U app shop > shop.sql", "butterfly")
_s(
    "word-identified-by",
    "GRANT ALL ON shop.* TO 'app'@'10.%' IDENTIFIED BY '@@'; FLUSH PRIVILEGES;",
    "marmalade",
)
_s("word-mysql-p", "mysqladmin -u root -p@@ status", "watermelon")
_s("digits-only-option", "$ smbmap -H 10.0.0.2 -u guest --password=@@", "20041987")

# ---- people and prompts ----------------------------------------------------------------------
_s("chat-en", "hey, my password is @@, can you log in and check?", "hunter22")
_s("chat-de", "Mein Passwort ist @@, bitte nach dem Test ändern.", "Blumen!Topf7")
_s("chat-fr", "Le mot de passe est : @@", "Fr0mage-bleu")
_s("chat-es", "La contraseña es @@ y el usuario es admin", "torti11a_9")
_s("ru-label", "Логин: admin\nПароль: @@\n", "ромашка-77-луг")
_s("zh-label-fullwidth-colon", "用户名：admin\n密码：@@\n", "龙井茶2024好")
_s("prompt-answered", "Username: alice\nPassword: @@\nLogin incorrect", "hunter22x")
_s("sudo-prompt-answered", "[sudo] password for alice: @@\nSorry, try again.", "b4dm1nton")
_s(
    "table-markdown",
    "| service | user | password |\n|---|---|---|\n| grafana | admin | @@ |",
    "gR4f-an4-pw",
)
_s(
    "initial-password-line-end",
    "2024-05-01 10:00:00 INFO  Generated initial admin password: @@",
    _r(170, 20),
)


# =============================================================================================
_i("next-token-page", "next_token: page-2")
_i("invalid-token-expected", "invalid token: expected_1")
_i("token-count", "token: 1234567")
_i("max-tokens", "max_tokens: 4096\ntemperature: 0.2")
_i("tokenizer", "tokenizer=o200k_base")
_i(
    "token-usage",
    '{"usage": {"prompt_tokens": 1532, "completion_tokens": 210, "total_tokens": 1742}}',
)
_i("eos-token", 'pad_token = tokenizer.eos_token  # "</s>", eos_token_id=2')
_i(
    "unexpected-token-json",
    "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
)
_i("token-type", "token_type=bearer, expires_in=3600, scope=read:user")
_i(
    "git-log",
    "commit "
    + _r(200, 40, _HEX)
    + "\nAuthor: Alice <alice@acme.io>\nDate:   Wed May 1 10:00:00 2024 +0200",
)
_i("git-short-range", "   3f2a91c..b7710de  main -> main")
_i("uuid-request", "request_id=" + _uuid(201) + " status=200 dur=12ms")
_i("sha256-digest", "sha256:" + _r(202, 64, _HEX))
_i("image-pinned", "image: nginx:1.25@sha256:" + _r(203, 64, _HEX))
_i("md5sum", _r(204, 32, _HEX) + "  archive.tar.gz")
_i(
    "data-url-png",
    '<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==">',
)
_i(
    "css-classes",
    '<div class="token-list__item token-list__item--secret-santa css-1q2w3e4 flex-basis-auto">',
)
_i("password-required", "password: required")
_i("password-file-option", "$ restic --password-file /run/secrets/pw snapshots")
_i("password-stdin", "$ cat token.txt | docker login -u acmebot --password-stdin")
_i("password-hash-algo", "password_hash algorithm: bcrypt")
_i("if-password-none", "if password == None:\n    raise ValueError('password missing')")
_i("def-password", "def set_password(self, password: str, *, salt: bytes = b'') -> None:")
_i("ts-interface", "interface Login { username: string; password: string; token?: string }")
_i("api-key-environ", 'client = Client(api_key=os.environ["API_KEY"])')
_i("password-getenv", 'password = os.getenv("DB_PASSWORD", "")')
_i("gha-secrets", "env:\n  GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}")
_i("shell-variable", 'mysql -u root -p"$PASSWORD" shop')
_i("curl-u-variables", 'curl -u "$USER:$PASS" https://nexus.acme.io/')
_i("bearer-variable", 'curl -H "Authorization: Bearer $TOKEN" https://api.acme.io/')
_i("bearer-placeholder", "Authorization: Bearer <token>")
_i("placeholder-angle", "API_KEY=<your-api-key>")
_i("placeholder-words", "OPENAI_API_KEY=your_api_key_here")
_i("placeholder-xxxx", "password: xxxx\ntoken: xxxxxxxxxxxx")
_i("placeholder-stars", "password=******** user=app")
_i("already-redacted", "password=[redacted:password] token: [redacted:github]")
_i("empty-value", "DB_PASSWORD=\nDB_HOST=localhost")
_i(
    "npm-integrity",
    '"node_modules/ms": {\n  "version": "2.1.3",\n  "resolved": "https://registry.npmjs.org/ms/-/ms-2.1.3.tgz",\n  "integrity": "sha512-'
    + _r(205, 86, _B64)
    + '=="\n}',
)
_i("go-sum", "github.com/pkg/errors v0.9.1 h1:" + _r(206, 43, _B64) + "=")
_i("cargo-lock", 'checksum = "' + _r(207, 64, _HEX) + '"')
_i("primary-key", "id = db.Column(db.Integer, primary_key=True)")
_i(
    "foreign-key-sql",
    "FOREIGN KEY (customer_id) REFERENCES customers(customer_id) ON DELETE CASCADE",
)
_i("sort-key", "GET /items?sort_key=created_at&order=desc")
_i("keyboard-key", "await page.keyboard.press('Enter'); // key: ArrowDown, key=Escape")
_i("key-value-prose", "Key: value pairs are split at the first colon.")
_i("s3-key", "Bucket: acme-logs\nKey: 2024/05/01/app-7f9c.log.gz")
_i("secret-santa", "Don't forget: Secret Santa draw on Friday, budget 20 EUR.")
_i("secret-stir", "The secret is to stir slowly")
_i("token-ring", "In this protocol hosts pass the token ring clockwise.")
_i("localstorage", "const token = localStorage.getItem('token');")
_i("email", "Contact: first.last+tag@example.co.uk")
_i("git-ssh-remote", "origin\tgit@github.com:org/repo.git (push)")
_i("url-port-at", "https://example.com:8080/path@2x.png")
_i("npm-scope-url", "https://registry.npmjs.org/@types/node/-/node-20.11.5.tgz")
_i("url-user-only", "postgres://postgres@localhost:5432/app")
_i("ssh-port", "ssh user@host -p 2222")
_i("mkdir-p", "mkdir -p build/out && cp -pr src/. build/out")
_i("tar-pxf", "tar -pxf backup.tar -C /srv")
_i("docker-run-p", "docker run -p 8080:80 -u 1000:1000 nginx")
_i("ps-u", "ps -u root -o pid,comm")
_i("patch-p1", "patch -p1 < fix-token-refresh.patch")
_i("iso-date", '2024-05-01T10:00:00.123456+02:00 level=info msg="token refreshed"')
_i("version", "secretstorage==3.3.3\nkeyring>=24.3.0,<26\npyjwt[crypto]~=2.8")
_i(
    "test-names",
    "tests/test_auth.py::test_password_reset_token_expires PASSED\ntests/test_auth.py::test_api_key_is_hashed PASSED",
)
_i(
    "translation-json",
    '{"login.password": "Passwort", "login.username": "Benutzername", "login.forgot": "Passwort vergessen?"}',
)
_i("po-file", 'msgid "Password:"\nmsgstr "Contraseña:"')
_i(
    "java-trace",
    "\tat com.acme.auth.TokenService.refreshToken(TokenService.java:142)\n\tat com.acme.auth.SecretKeyProvider.get(SecretKeyProvider.java:31)",
)
_i("bitcoin-address", "donations: 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")
_i("eth-address", "contract deployed at 0x" + _r(208, 40, _HEX))
_i("doi", "doi:10.1038/s41586-020-2649-2")
_i("isbn", "ISBN 978-3-16-148410-0")
_i("license-key-heading", "## License keys\n\nSee LICENSE.txt for how a license key is issued.")
_i(
    "md-credentials-doc",
    "### Credentials\n\nPass `--token` or set `ACME_TOKEN`. Tokens expire after 90 days; passwords are never stored.",
)
_i(
    "enum",
    'class TokenType(Enum):\n    ACCESS_TOKEN = "access_token"\n    REFRESH_TOKEN = "refresh_token"',
)
_i(
    "help-text",
    "  -p, --password string   Password for the registry\n      --token TOKEN       API token (default: $ACME_TOKEN)",
)
_i("auth-failed", 'FATAL:  password authentication failed for user "postgres"')
_i("permission-denied", "alice@10.0.0.5: Permission denied (publickey,password).")
_i("sudo-required", "sudo: a password is required")
_i(
    "www-authenticate",
    'WWW-Authenticate: Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
)
_i("public-ssh-key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + _r(209, 43, _B64) + " alice@laptop")
_i(
    "certificate",
    "-----BEGIN CERTIFICATE-----\n" + "\n".join(_lines(210, 3)) + "\n-----END CERTIFICATE-----",
)
_i("secret-key-ref", "valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password")
_i("secret-arn", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf")
_i("chat-forgot", "I forgot my password again, can you send me the reset link?")
_i("chat-not-working", "my password is not working since the update")
_i("chat-de-wrong", "Das Passwort ist falsch oder abgelaufen.")
_i("ru-field", "Пароль: обязательное поле")
_i("zh-field", "密码：不能为空")
_i("password-rule", "Password must contain at least 8 characters, one digit and one symbol.")
_i("getter-call", 'token = await self.auth.get_token(scope="read")')
_i("jinja-password", 'password: "{{ vault_db_password }}"')
_i("terraform-var", "password = var.db_password")
_i("k8s-hash-pod", "pod/token-service-7d9f8b6c5d-x2x9k   1/1   Running   0   3h")
