"""Second test set for a credential redactor (held back): other kinds, spellings and contexts than first.py.

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
    x = (seed * 40503 + 7777777) % 2147483647
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
_s(
    "github-ghs-actions-env",
    '{"name":"run","env":{"INPUT_REPO-TOKEN":"@@","CI":"true"}}',
    "ghs" + "_" + _r(1, 36),
)
_s(
    "github-ghu-json",
    '{"access_token":"@@","expires_in":28800,"refresh_token_expires_in":15811200,"scope":""}',
    "ghu" + "_" + _r(2, 36),
)
_s("github-ghr-refresh", "refreshing with ghr token: @@ -> ok", "ghr" + "_" + _r(3, 76))
_s(
    "github-hub-config",
    "github.com:\n- user: alice\n  oauth_token: @@\n  protocol: https\n",
    "gho" + "_" + _r(4, 36),
)
_s(
    "github-pat-git-credentials",
    "$ cat ~/.git-credentials\nhttps://alice:@@@github.com\n",
    "github" + "_pat_" + "11B" + _r(5, 19) + "_" + _r(6, 59),
)
_s(
    "github-credential-fill",
    "$ printf 'protocol=https\\nhost=github.com\\n' | git credential fill\nprotocol=https\nhost=github.com\nusername=alice\npassword=@@\n",
    "ghp" + "_" + _r(7, 36),
)
_s("github-ghp-in-ansi-colours", "\x1b[32mTOKEN\x1b[0m=\x1b[1m@@\x1b[0m", "ghp" + "_" + _r(8, 36))
_s(
    "github-ghp-url-encoded-form",
    "POST /login/oauth/access_token client_id=Iv1.8a61f9b3a7aba766&client_secret=@@&code=ok",
    _r(9, 40, _HEX),
)
_s(
    "gitlab-trigger-form",
    "curl -X POST -F token=@@ -F ref=main https://gitlab.com/api/v4/projects/9/trigger/pipeline",
    "glptt" + "-" + _r(10, 40, _HEX),
)
_s(
    "gitlab-runner-config-toml",
    '[[runners]]\n  name = "r1"\n  url = "https://gitlab.com"\n  token = "@@"\n  executor = "docker"',
    "glrt" + "-" + _r(11, 20),
)
_s(
    "gitlab-ci-token-url",
    "Fetching from https://gitlab-ci-token:@@@gitlab.acme.io/a/b.git",
    "glcbt" + "-64_" + _r(12, 20),
)
_s(
    "bitbucket-app-password",
    "git remote set-url origin https://alice@bitbucket.org/acme/x.git; git push https://alice:@@@bitbucket.org/acme/x.git",
    "ATBB" + _r(13, 24) + _r(14, 8, _HEX).upper(),
)
_s(
    "atlassian-api-token",
    "curl -u 'alice@acme.io:@@' https://acme.atlassian.net/rest/api/3/myself",
    "ATATT3" + "xFfGF0" + _r(15, 170, _URL) + "=" + _r(16, 8, _HEX).upper(),
)

# ---- options on the command line, other tools -------------------------------------------------
_s(
    "opt-mysql-long-user-glued",
    "$ mariadb --user=root -h127.0.0.1 -P3307 -p@@ < schema.sql",
    "Kettle+Drum9",
)
_s(
    "opt-ldapsearch-w",
    "$ ldapsearch -x -D 'cn=admin,dc=acme,dc=io' -w @@ -b dc=acme,dc=io '(uid=bob)'",
    "Ld4p-Gard3n",
)
_s("opt-smbclient-percent", "$ smbclient //nas/share -U 'bob%@@' -c ls", "N4s-Pa55ing")
_s(
    "opt-net-use",
    "C:\\> net use Z: \\\\nas\\share /user:ACME\\bob @@ /persistent:no",
    "Wind0wPane#3",
)
_s("opt-sqlcmd-P", "PS> sqlcmd -S tcp:sql1,1433 -U sa -P '@@' -Q 'select 1'", "Y0ur-Str0ng!Pw")
_s("opt-sqlplus-slash", "$ sqlplus scott/@@@//ora1.acme.io:1521/ORCLPDB1", "T1gerStripes8")
_s(
    "opt-mongosh-p",
    "$ mongosh --host m1 -u admin -p @@ --authenticationDatabase admin",
    "mang0-Mong0",
)
_s(
    "opt-openssl-passin",
    "$ openssl pkcs12 -in cert.p12 -nodes -passin pass:@@ -out cert.pem",
    "P12-unl0ck",
)
_s(
    "opt-gpg-passphrase",
    "$ gpg --batch --yes --passphrase '@@' -d backup.gpg > backup.tar",
    "ever green forest 5",
)
_s(
    "opt-keytool-storepass",
    "$ keytool -list -keystore app.jks -storepass @@ -alias app",
    "J4va-Ch1ps",
)
_s("opt-htpasswd-b", "$ htpasswd -nbB admin @@", "htp4ss-Willow")
_s("opt-chpasswd-echo", "$ echo 'root:@@' | chpasswd", "R00t-C4nal!")
_s("opt-passwd-stdin-pipe", "$ echo '@@' | sudo -S apt-get update", "sud0-Sandw1ch")
_s(
    "opt-docker-password-stdin-echo",
    "$ echo @@ | docker login ghcr.io -u alice --password-stdin",
    "ghp" + "_" + _r(20, 36),
)
_s("opt-curl-u-glued", "$ curl -ualice:@@ https://dav.acme.io/", "gl00d-T0gether")
_s(
    "opt-curl-proxy-user",
    "$ curl --proxy-user bob:@@ -x http://proxy:3128 https://example.com",
    "pr0xy-M0xie",
)
_s(
    "opt-java-system-property",
    "java -Djavax.net.ssl.keyStorePassword=@@ -jar app.jar",
    "keySt0re-77",
)
_s(
    "opt-windows-slash",
    "C:\\> schtasks /create /tn job /tr run.bat /ru ACME\\svc /rp @@ /sc daily",
    "Sv3-Sch3dule",
)
_s(
    "opt-powershell-securestring",
    "PS> $p = ConvertTo-SecureString '@@' -AsPlainText -Force",
    "P0wer-Sh3lls!",
)
_s("opt-auth-token-camel", "$ netlify deploy --authToken=@@ --dir=dist", "nfp" + "_" + _r(21, 36))
_s("opt-passwd-option-line-end", "$ vncserver :1 -geometry 1280x800 --passwd=@@\n", "vnc-Cr4ne")
_s(
    "opt-kubectl-from-literal",
    "kubectl create secret generic db --from-literal=username=app --from-literal=password='@@'",
    "l1teral Truth",
)
_s(
    "opt-docker-run-e",
    "docker run -d -e MYSQL_ROOT_PASSWORD=@@ -e TZ=UTC -p 3306:3306 mysql:8",
    "my-S3cret-pw",
)
_s("opt-nmcli-wifi", "$ nmcli dev wifi connect 'Cafe Guest' password '@@'", "espresso doppio 12")

# ---- configuration files ---------------------------------------------------------------------
_s(
    "netrc-macos-account",
    "default login anonymous password x@y.z\nmachine ftp.acme.io\n\tlogin bob\n\taccount dev\n\tpassword @@",
    "ftp-Fl0wer",
)
_s("pgpass-escaped-colon", "db2.acme.io:5432:*:postgres:pa\\:@@\n", "tail-Of-It7")
_s("my-cnf-client", "[client]\nuser=backup\npassword='@@'\nhost=localhost\n", "b4ck;up#now")
_s(
    "yarnrc-npmAuthToken",
    'npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.io"\n    npmAuthToken: "@@"',
    "npm" + "_" + _r(30, 36),
)
_s(
    "npmrc-_password",
    "//npm.acme.io/:username=ci\n//npm.acme.io/:_password=@@\n",
    _b64("Gr4nite-Peak"),
)
_s(
    "pypi-twine-env",
    "TWINE_USERNAME=__token__ TWINE_PASSWORD=@@ twine upload dist/*",
    "pypi" + "-AgENdGVzdC5weXBpLm9yZw" + _r(31, 140, _URL),
)
_s(
    "pip-conf-extra-index",
    "[global]\nextra-index-url = https://__token__:@@@gitlab.com/api/v4/projects/5/packages/pypi/simple",
    "gldt" + "-" + _r(32, 20),
)
_s(
    "docker-identitytoken",
    '{"auths":{"acme.azurecr.io":{"auth":"MDAwMDAwMDA6","identitytoken":"@@"}}}',
    _r(33, 120, _URL),
)
_s(
    "dockerconfigjson-base64",
    "data:\n  .dockerconfigjson: @@\ntype: kubernetes.io/dockerconfigjson",
    _b64('{"auths":{"ghcr.io":{"username":"ci","password":"' + "sh1p-Sh4pe" + '"}}}'),
)
_s(
    "kubeconfig-basic-json",
    '{"users":[{"name":"u","user":{"username":"admin","password":"@@"}}]}',
    "kub3-Basic-Pw",
)
_s(
    "kubectl-stringdata",
    "kind: Secret\nstringData:\n  smtp.password: @@\n  smtp.user: mailer",
    "str1ng-Data!9",
)
_s(
    "composer-auth-json",
    '{"http-basic": {"repo.magento.com": {"username": "'
    + _r(34, 32, _HEX)
    + '", "password": "@@"}}}',
    _r(35, 32, _HEX),
)
_s("nuget-cleartext", '<add key="ClearTextPassword" value="@@" />', "nuG3t-N0ugat")
_s(
    "gradle-properties",
    "signing.keyId=24875D73\nsigning.password=@@\nsigning.secretKeyRingFile=/home/a/secring.gpg",
    "gr4dle-R0ck",
)
_s(
    "ansible-inventory",
    "web1 ansible_host=10.0.0.7 ansible_user=root ansible_ssh_pass=@@ ansible_port=22",
    "ans1ble-T0wer",
)
_s("ansible-become", "ansible_become_password: '@@'", "bec0me r00t now")
_s("wpa-supplicant", 'network={\n    ssid="Home"\n    psk="@@"\n}', "guest-house wifi 8")
_s(
    "wireguard-private-key",
    "[Interface]\nAddress = 10.8.0.2/24\nPrivateKey = @@\n\n[Peer]\nPublicKey = "
    + _r(36, 43, _B64)
    + "=",
    _r(37, 43, _B64) + "=",
)
_s("s3cfg", "[default]\naccess_key = minioadm\nsecret_key = @@\nhost_base = s3.acme.io", _r(38, 40))
_s("rclone-conf", "[nas]\ntype = sftp\nhost = nas\nuser = bob\npass = @@\n", _r(39, 38, _URL))
_s("wordpress-define", "define( 'DB_PASSWORD', '@@' );", "w0rd-Pr3ss;ok")
_s(
    "wordpress-salt",
    "define('AUTH_KEY',         '" + "x|Q4" + "-@@');",
    "9vN+tZ{e7" + _r(40, 30) + "}[,^ kW",
)
_s(
    "django-secret-key",
    "SECRET_KEY = 'django-insecure-@@'",
    _r(41, 50, _LOW + _DIG + "!@#$%^&*(-_=+)"),
)
_s("laravel-app-key", "APP_NAME=Laravel\nAPP_KEY=base64:@@\nAPP_DEBUG=true", _r(42, 43, _B64) + "=")
_s("rails-master-secret", "production:\n  secret_key_base: @@\n", _r(43, 128, _HEX))
_s(
    "spring-yaml-nested",
    'spring:\n  mail:\n    username: noreply\n    password: "@@"\n',
    "m4il: b0x",
)
_s("toml-literal-string", "[smtp]\npass = '@@'", "C:\\no\\esc4pe")
_s("yaml-block-scalar", "password: |\n  @@\nuser: app\n", "bl0ck-Sc4lar-pw")
_s("properties-space-colon", "ftp.password : @@\nftp.user : bob", "c0lon-Sp4ced")
_s("tfvars", 'db_master_password = "@@"\ninstance_class = "db.t3.micro"', "t3rra-F1rma!")
_s(
    "tfstate-random-password",
    '"type": "random_password", "instances": [{"attributes": {"length": 20, "result": "x", "password": "@@"}}]',
    _r(44, 20, _AN + "!#%"),
)
_s("ini-passphrase", "[borg]\nencryption_passphrase = @@\n", "seven green bottles hang")
_s(
    "dotenv-export-secret",
    "export const_unused=1\nexport OAUTH2_CLIENT_SECRET='@@'",
    _r(45, 32, _URL),
)
_s("dotenv-lowercase-passwd", "imap_passwd=@@\nimap_host=imap.acme.io", "im4p-Br1dge")
_s(
    "compose-env-list",
    "    environment:\n      - RABBITMQ_DEFAULT_USER=rabbit\n      - RABBITMQ_DEFAULT_PASS=@@\n",
    "c4rrot-Patch",
)
_s(
    "windows-set",
    "C:\\build> set NUGET_API_KEY=@@\r\nC:\\build> nuget push a.nupkg\r\n",
    "oy2" + _r(46, 43, _LOW + _DIG),
)
_s("powershell-env", '$env:AZURE_STORAGE_KEY = "@@"', _r(47, 86, _B64) + "==")
_s("fish-set", "set -gx RESTIC_PASSWORD @@", "f1sh-Ch1ps-22")
_s("dockerfile-env", "ENV ADMIN_PASSWORD @@\nEXPOSE 8080", "d0cker-F1le")

# ---- HTTP -----------------------------------------------------------------------------------
_s(
    "http2-verbose-basic",
    "* [HTTP/2] [1] [authorization: Basic @@]",
    _b64("svc-build:" + "T0ad-in-the-H0le"),
)
_s("http-proxy-authorization", "Proxy-Authorization: Basic @@", _b64("proxy:" + "Sh4dow-Pr0xy"))
_s("http-token-token-rails", 'Authorization: Token token="@@"', _r(50, 32, _HEX))
_s(
    "http-elastic-apikey",
    "Authorization: ApiKey @@",
    _b64(_r(51, 20, _URL) + ":" + _r(52, 22, _URL)),
)
_s(
    "http-splunk-hec",
    "curl -k https://splunk:8088/services/collector -H 'Authorization: Splunk @@' -d '{\"event\":1}'",
    _uuid(53),
)
_s("http-opsgenie", "Authorization: GenieKey @@", _uuid(54))
_s(
    "http-bearer-python-repr",
    "send: b'GET /v1/a HTTP/1.1\\r\\nHost: api.acme.io\\r\\nAuthorization: Bearer @@\\r\\n\\r\\n'",
    _r(55, 40),
)
_s(
    "http-go-header-map",
    "map[Accept:[*/*] Authorization:[Bearer @@] User-Agent:[Go-http-client/1.1]]",
    _r(56, 48),
)
_s("http-har-header", '{"name": "Authorization", "value": "Bearer @@"}', _r(57, 52))
_s(
    "http-har-cookie",
    '{"name":"cookie","value":"_ga=GA1.2.3; session=@@"}',
    "eyJ1c2VyIjo3fQ." + _r(58, 6) + "." + _r(59, 27, _URL),
)
_s(
    "http-php-sessid-curl-b",
    "$ curl -b 'PHPSESSID=@@' http://shop.local/cart",
    _r(60, 26, _LOW + _DIG),
)
_s(
    "http-set-cookie-remember",
    "Set-Cookie: remember_user_token=@@; path=/; expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly",
    _r(61, 60) + "--" + _r(62, 40, _HEX),
)
_s(
    "http-cookie-jar-netscape",
    "#HttpOnly_acme.io\tFALSE\t/\tTRUE\t1790000000\tJSESSIONID\t@@",
    _r(63, 32, _HEX).upper(),
)
_s(
    "http-x-vault-token",
    'curl -H "X-Vault-Token: @@" $VAULT_ADDR/v1/secret/data/app',
    "s." + _r(64, 24),
)
_s("http-ocp-apim", "Ocp-Apim-Subscription-Key: @@", _r(65, 32, _HEX))
_s("http-x-auth-token-openstack", "< X-Subject-Token: @@", "gAAAAAB" + _r(66, 176, _URL))
_s(
    "http-aws-presigned-signature",
    "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20250501T000000Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=@@",
    _r(67, 64, _HEX),
)
_s(
    "http-digest-curl-option",
    "$ curl --digest -u cam:@@ http://cam1/ISAPI/System/status",
    "c4m-D1gest",
)
_s(
    "http-fragment-token",
    "redirected to https://app.acme.io/cb#access_token=@@&token_type=Bearer&expires_in=3600",
    _r(68, 90, _URL),
)
_s(
    "http-urlencoded-password",
    "grant_type=password&username=bob%40acme.io&password=@@&scope=openid",
    "p%40ss%20W0rd",
)
_s(
    "http-multipart-password",
    '------X\r\nContent-Disposition: form-data; name="password"\r\n\r\n@@\r\n------X--',
    "mult1-P4rt-pw",
)
_s(
    "jwt-es256-query",
    "wss://rt.acme.io/socket?jwt=eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ."
    + _b64('{"sub":"u-19","role":"authenticated"}', True)
    + ".@@&vsn=1.0.0",
    _r(69, 86, _URL),
)
_s(
    "jwt-payload-in-bearer",
    "authorization: Bearer eyJhbGciOiJQUzI1NiIsInR5cCI6ImF0K2p3dCJ9.@@." + _r(70, 86, _URL),
    _b64('{"email":"carol@acme.io","tenant":"t1","exp":1790000001}', True),
)
_s(
    "kube-create-token",
    "$ kubectl create token builder -n ci\neyJhbGciOiJSUzI1NiIsImtpZCI6Ik5nIn0."
    + _b64(
        '{"aud":["https://kubernetes.default.svc"],"sub":"system:serviceaccount:ci:builder"}', True
    )
    + ".@@\n$ ",
    _r(71, 342, _URL),
)
_s(
    "kubeadm-join",
    "kubeadm join 10.0.0.1:6443 --token @@ --discovery-token-ca-cert-hash sha256:"
    + _r(72, 64, _HEX),
    _r(73, 6, _LOW + _DIG) + "." + _r(74, 16, _LOW + _DIG),
)

# ---- clouds ---------------------------------------------------------------------------------
_s(
    "aws-boto-kwargs",
    "boto3.client('s3', aws_access_key_id='AKIA"
    + _r(80, 16, _UP + "234567")
    + "', aws_secret_access_key='@@')",
    _r(81, 40, _B64),
)
_s(
    "aws-configure-prompt",
    "$ aws configure\nAWS Access Key ID [None]: AKIA"
    + _r(82, 16, _UP + "234567")
    + "\nAWS Secret Access Key [None]: @@\nDefault region name [None]: eu-central-1",
    _r(83, 40, _B64),
)
_s(
    "aws-asia-security-token-header",
    "x-amz-security-token: @@",
    "FwoGZXIvYXdzE" + _r(84, 280, _B64) + "=",
)
_s(
    "aws-akia-in-sigv4",
    "Authorization: AWS4-HMAC-SHA256 Credential=@@/20250501/us-east-1/s3/aws4_request, SignedHeaders=host, Signature="
    + _r(85, 64, _HEX),
    "AKIA" + _r(86, 16, _UP + "234567"),
)
_s(
    "aws-csv-download",
    "User name,Access key ID,Secret access key\nci,AKIA" + _r(87, 16, _UP + "234567") + ",@@\n",
    _r(88, 40, _B64),
)
_s(
    "azure-servicebus",
    "Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=@@",
    _r(89, 43, _B64) + "=",
)
_s(
    "azure-sp-create-json",
    '{\n  "appId": "'
    + _uuid(90)
    + '",\n  "displayName": "ci",\n  "password": "@@",\n  "tenant": "'
    + _uuid(91)
    + '"\n}',
    _r(92, 3) + "8Q~" + _r(93, 34, _URL),
)
_s(
    "azure-sas-json-escaped-amp",
    r'{"url":"https://x.blob.core.windows.net/c/f?sv=2023-01-03\u0026sr=b\u0026sp=r\u0026sig=@@"}',
    _r(94, 42) + "%2B" + "%3D",
)
_s(
    "azure-devops-pat-basic",
    "git -c http.extraHeader='Authorization: Basic @@' clone https://dev.azure.com/acme/p/_git/r",
    _b64(":" + _r(95, 52, _B32)),
)
_s(
    "gcp-ya29-tokeninfo",
    "GET https://oauth2.googleapis.com/tokeninfo?access_token=@@ 200",
    "ya29" + ".c.b0A" + _r(96, 200, _URL),
)
_s("gcp-client-secret-go", 'ClientSecret: "@@",', "GOCSPX" + "-" + _r(97, 28, _URL))
_s(
    "gcp-aiza-js-firebase",
    'const firebaseConfig = { apiKey: "@@", authDomain: "acme.firebaseapp.com" };',
    "AIza" + "Sy" + _r(98, 33, _URL),
)
_s(
    "gcp-refresh-python-repr",
    "Credentials(token=None, refresh_token='@@', client_id='x')",
    "1//0" + "3" + _r(99, 98, _URL),
)
_s(
    "alibaba-secret",
    "ALIBABA_CLOUD_ACCESS_KEY_ID=LTAI5t" + _r(100, 18) + "\nALIBABA_CLOUD_ACCESS_KEY_SECRET=@@",
    _r(101, 30),
)
_s("digitalocean-refresh", "access-token: x\nrefresh: @@", "dor" + "_v1_" + _r(102, 64, _HEX))
_s("heroku-hrku", "! Invalid credentials provided: @@", "HRKU" + "-AA" + _r(103, 58, _URL))
_s("cloudflare-global-key", "X-Auth-Email: ops@acme.io\nX-Auth-Key: @@", _r(104, 37, _HEX))
_s(
    "databricks-connection",
    "databricks://token:@@@adb-2.azuredatabricks.net?http_path=/sql/1.0",
    "dapi" + _r(105, 32, _HEX),
)
_s(
    "terraform-cloud-tf-token-env",
    "TF_TOKEN_app_terraform_io=@@ terraform init",
    _r(106, 14) + ".atlasv1." + _r(107, 67),
)
_s(
    "vault-hvb-batch",
    '{"auth":{"client_token":"@@","lease_duration":3600}}',
    "hvb." + "AAAAAQ" + _r(108, 130, _URL),
)
_s("vault-unseal", "Unseal Key 1: @@\nUnseal Key 2: x", _r(109, 43, _B64) + "=")
_s("flyio-token", 'FLY_API_TOKEN="FlyV1 @@"', "fm2_lJPE" + "CAAAAAAA" + _r(110, 120, _B64) + "==")
_s("supabase-access", "supabase login --token @@", "sbp" + "_" + _r(111, 40, _HEX))
_s(
    "tailscale-auth",
    "tailscale up --authkey=@@",
    "tskey" + "-auth-k" + _r(112, 11) + "CNTRL-" + _r(113, 32),
)

# ---- services -------------------------------------------------------------------------------
_s(
    "slack-xoxp",
    "curl -F token=@@ https://slack.com/api/auth.test",
    "xoxp"
    + "-"
    + _r(120, 12, _DIG)
    + "-"
    + _r(121, 12, _DIG)
    + "-"
    + _r(122, 13, _DIG)
    + "-"
    + _r(123, 32, _HEX),
)
_s("slack-xoxe", '"refresh_token": "@@"', "xoxe" + "-1-" + _r(124, 146))
_s(
    "slack-workflow-webhook",
    "notify: https://hooks."
    + "slack.com/workflows/T1"
    + _r(125, 9, _UP + _DIG)
    + "/A1"
    + _r(126, 9, _UP + _DIG)
    + "/"
    + _r(127, 18, _DIG)
    + "/@@",
    _r(128, 24),
)
_s(
    "discord-webhook",
    "requests.exceptions.HTTPError: 429 for url: https://discord.com/api/webhooks/"
    + _r(129, 18, "123456789")
    + "/@@",
    _r(130, 68, _URL),
)
_s(
    "teams-webhook",
    "https://acme.webhook.office.com/webhookb2/"
    + _uuid(131)
    + "@"
    + _uuid(132)
    + "/IncomingWebhook/@@/"
    + _uuid(133),
    _r(134, 32, _HEX),
)
_s(
    "telegram-bot-code",
    'app = Application.builder().token("@@").build()',
    _r(135, 10, "123456789") + ":AA" + _r(136, 33, _URL),
)
_s(
    "stripe-sk-live-basic-user",
    "curl https://api.stripe.com/v1/charges -u @@:",
    "sk" + "_live_" + _r(137, 24),
)
_s("stripe-rk-test-json", '{"stripe":{"restricted":"@@"}}', "rk" + "_test_" + "51" + _r(138, 97))
_s("stripe-whsec-env", "STRIPE_WEBHOOK_SECRET=@@", "whsec" + "_" + _r(139, 32))
_s(
    "sendgrid-yaml-list",
    "keys:\n  - @@\n",
    "SG" + "." + _r(140, 22, _URL) + "." + _r(141, 43, _URL),
)
_s(
    "mailgun-new",
    "MAILGUN_API_KEY: @@",
    _r(142, 32, _HEX) + "-" + _r(143, 8, _HEX) + "-" + _r(144, 8, _HEX),
)
_s(
    "mailchimp",
    "mailchimp.set_config({'api_key': '@@', 'server': 'us21'})",
    _r(145, 32, _HEX) + "-us21",
)
_s(
    "twilio-client-positional-curl",
    "curl -X POST https://api.twilio.com/2010-04-01/Accounts/AC"
    + _r(146, 32, _HEX)
    + "/Messages.json -u AC"
    + _r(146, 32, _HEX)
    + ":@@",
    _r(147, 32, _HEX),
)
_s(
    "huggingface-git-url",
    "git clone https://user:@@@huggingface.co/acme/model",
    "hf" + "_" + _r(148, 34),
)
_s(
    "openai-svcacct",
    "export OPENAI_API_KEY='@@'",
    "sk" + "-svcacct-" + _r(149, 58, _URL) + "T3Blbk" + "FJ" + _r(150, 58, _URL),
)
_s(
    "openai-old-sk",
    "openai.api_key = '@@'",
    "sk" + "-" + _r(151, 20) + "T3Blbk" + "FJ" + _r(152, 20),
)
_s(
    "anthropic-x-api-key",
    "-H 'x-api-key: @@' -H 'anthropic-version: 2023-06-01'",
    "sk" + "-ant-" + "admin01-" + _r(153, 93, _URL) + "AA",
)
_s("groq", 'Client(api_key="@@")', "gsk" + "_" + _r(154, 52))
_s("replicate", "REPLICATE_API_TOKEN=@@", "r8" + "_" + _r(155, 37))
_s("linear-oauth", "linear token @@ saved", "lin" + "_oauth_" + _r(156, 64, _HEX))
_s("notion-ntn", "NOTION_TOKEN=@@", "ntn" + "_" + _r(157, 11, _DIG) + _r(158, 35))
_s("shopify-shpss", "SHOPIFY_API_SECRET = @@", "shpss" + "_" + _r(159, 32, _HEX))
_s(
    "square-eaaa",
    "Square-Version: 2024-01-18\nAuthorization: Bearer @@",
    "EAAA" + _r(160, 60, _URL),
)
_s(
    "grafana-cloud-glc",
    "remote_write:\n  - basic_auth:\n      username: 12345\n      password: @@",
    "glc" + "_eyJ" + _r(161, 120),
)
_s("newrelic-license", "license_key: '@@'", _r(162, 36, _HEX) + "NRAL")
_s(
    "sentry-auth-token",
    "sentry-cli --auth-token @@ releases list",
    "sntrys" + "_eyJ" + _r(163, 120, _B64) + "=_" + _r(164, 43, _B64),
)
_s(
    "sentry-legacy-dsn",
    "SENTRY_DSN=https://" + _r(165, 32, _HEX) + ":@@@sentry.acme.io/4",
    _r(166, 32, _HEX),
)
_s("datadog-app-key", "DD-API-KEY: x\nDD-APPLICATION-KEY: @@", _r(167, 40, _HEX))
_s("doppler-service-token", "docker run -e DOPPLER_TOKEN=@@ acme/app", "dp.st.prd." + _r(168, 43))
_s("figma", "X-Figma-Token: @@", "figd" + "_" + _r(169, 40, _URL))
_s(
    "postman",
    "newman run --postman-api-key @@",
    "PMAK" + "-" + _r(170, 24, _HEX) + "-" + _r(171, 34, _HEX),
)
_s("pulumi", "PULUMI_ACCESS_TOKEN=@@ pulumi up", "pul" + "-" + _r(172, 40, _HEX))
_s(
    "npm-token-create-output",
    "┌────────────────┬───────────────────┐\n│ token          │ @@ │\n│ readonly       │ false │",
    "npm" + "_" + _r(173, 36),
)
_s("rubygems-env", "GEM_HOST_API_KEY=@@ gem push a.gem", "rubygems" + "_" + _r(174, 48, _HEX))
_s("crates-login", "$ cargo login @@", "cio" + _r(175, 32))
_s("docker-oat", 'echo "@@" > /tmp/tok', "dckr" + "_oat_" + _r(176, 32, _URL))
_s("artifactory", "X-JFrog-Art-Api: @@", "AKCp8" + _r(177, 68))
_s("otpauth", "otpauth://totp/ACME:bob@acme.io?secret=@@&issuer=ACME", _r(178, 32, _UP + "234567"))
_s("eth-private-key-env", "PRIVATE_KEY=0x@@ forge script Deploy.s.sol", _r(179, 64, _HEX))

# ---- keys -----------------------------------------------------------------------------------
_s(
    "age-in-sops-env",
    "SOPS_AGE_KEY=@@ sops -d s.yaml",
    "AGE" + "-SECRET-KEY-1" + _r(190, 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
)
_s(
    "putty-ppk",
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: bob\nPublic-Lines: 2\nAAAAC3NzaC1lZDI1NTE5AAAAI"
    + _r(191, 39, _B64)
    + "\n"
    + _r(192, 16, _B64)
    + "\nPrivate-"
    + "Lines: 1\n@@\nPrivate-MAC: "
    + _r(193, 64, _HEX),
    _r(194, 47, _B64) + "=",
)
_s(
    "pem-encrypted-pkcs8-indented-yaml",
    "tls:\n  key: |\n    -----BEGIN ENCRYPTED "
    + "PRIVATE KEY-----\n    "
    + _r(195, 64, _B64)
    + "\n    @@\n    -----END ENCRYPTED "
    + "PRIVATE KEY-----\n",
    _r(196, 64, _B64),
)
_s(
    "pem-with-headers",
    "-----BEGIN DSA "
    + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,"
    + _r(197, 32, _HEX).upper()
    + "\n\n"
    + _r(198, 64, _B64)
    + "\n@@\n-----END DSA "
    + "PRIVATE KEY-----",
    _r(199, 40, _B64) + "==",
)
_s(
    "pem-escaped-env",
    'JWT_PRIVATE="-----BEGIN '
    + "PRIVATE KEY-----\\n"
    + _r(200, 64, _B64)
    + "\\n@@\\n-----END "
    + 'PRIVATE KEY-----\\n"',
    _r(201, 64, _B64),
)
_s(
    "pem-with-line-numbers",
    "     1\t-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\n     2\tb3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABDs\n     3\t@@\n     4\t-----END OPENSSH "
    + "PRIVATE KEY-----",
    _r(202, 70, _B64),
)
_s(
    "pem-in-diff",
    "+-----BEGIN RSA "
    + "PRIVATE KEY-----\n+"
    + _r(203, 64, _B64)
    + "\n+@@\n+-----END RSA "
    + "PRIVATE KEY-----",
    _r(204, 64, _B64),
)
_s(
    "jwk-private-d",
    '{"kty":"EC","crv":"P-256","x":"'
    + _r(205, 43, _URL)
    + '","y":"'
    + _r(206, 43, _URL)
    + '","d":"@@"}',
    _r(207, 43, _URL),
)

# ---- connection strings ---------------------------------------------------------------------
_s("url-amqps", "amqps://svc:@@@mq.acme.io:5671/vhost", "r4bbit-Hutch")
_s(
    "url-postgres-percent",
    "postgresql+asyncpg://app:@@@db:5432/shop?sslmode=require",
    "a%23b%2Fc77x",
)
_s(
    "url-mongodb-replica",
    "mongodb://root:@@@m1:27017,m2:27017,m3:27017/?replicaSet=rs0&authSource=admin",
    "r3plica-S3t",
)
SECRETS.append(
    ("url-password-with-at", "ftp://bob:p@" + "ssw0rd-Quill" + "@files.acme.io/in", "ssw0rd-Quill")
)
_s("url-rediss-user", "rediss://default:@@@eu1-cat.upstash.io:6380", _r(210, 32, _HEX))
_s("url-http-proxy-env", "HTTPS_PROXY=http://CORP%5Cbob:@@@proxy.corp:8080", "Pr0xima-C3nt")
_s(
    "jdbc-sqlserver",
    "jdbc:sqlserver://sql1:1433;databaseName=shop;user=sa;password=@@;encrypt=false",
    "SqlS3rver-x",
)
_s("jdbc-oracle-thin", "jdbc:oracle:thin:scott/@@@//ora1:1521/XE", "t0pcat-Alley")
_s("ado-net-quoted", 'Data Source=sql1;User ID=app;Password="@@";Pooling=true', "semi;colon pw")
_s("mysql-pdo-php", "new PDO('mysql:host=db;dbname=shop', 'app', '@@');", "php-D4ta-Obj")
_s(
    "go-mysql-dsn",
    'sql.Open("mysql", "app:@@@tcp(10.0.0.3:3306)/shop?parseTime=true")',
    "g0-Lang-Dsn",
)
_s(
    "java-drivermanager-positional",
    'DriverManager.getConnection("jdbc:mysql://db/shop", "app", "@@");',
    "p0sition-3",
)
_s(
    "sqlalchemy-url-create",
    "URL.create('postgresql', username='app', password='@@', host='db')",
    "alch3my-G0ld",
)

# ---- code, SQL, JSON ------------------------------------------------------------------------
_s("sql-alter-user", "postgres=# ALTER USER app WITH PASSWORD '@@';\nALTER ROLE", "it''s a s3cret")
_s("sql-set-password", "SET PASSWORD FOR 'bob'@'localhost' = PASSWORD('@@');", "0ld-Mysql-5")
_s("sql-mssql-login", "CREATE LOGIN app WITH PASSWORD = N'@@', CHECK_POLICY = OFF;", "L0gin!Mssql")
_s(
    "sql-oracle-identified-unquoted",
    "SQL> create user scott identified by @@ default tablespace users;",
    "lion_Cub_44",
)
_s(
    "sql-copy-credentials",
    "COPY t FROM 's3://b/k' CREDENTIALS 'aws_access_key_id=AKIA"
    + _r(220, 16, _UP + "234567")
    + ";aws_secret_access_key=@@' CSV;",
    _r(221, 40, _B64),
)
_s(
    "sql-identified-with",
    "ALTER USER 'root'@'localhost' IDENTIFIED WITH mysql_native_password BY '@@';",
    "nat1ve-S0n",
)
_s("json-passwd-camel", '{"dbPassword":"@@","dbUser":"app"}', "c4mel-C4se")
_s(
    "json-escaped-pretty",
    r'"stdout": "{\n  \"user\": \"bob\",\n  \"apiKey\": \"@@\"\n}\n"',
    _r(222, 36),
)
_s(
    "json-escaped-shell-in-tool-call",
    r'{"command":"curl -u \"bob:@@\" https://nexus.acme.io"}',
    "n3xus-Lexus",
)
_s("json-unicode-escape-tail", r'{"password":"caf\u00e9-@@"}', "Cr3me-77")
_s("json-number-password", '{"username":"bob","password":@@}', "8402917365")
_s("js-template-header", "headers: { 'Authorization': `Bearer @@` }", _r(223, 40))
_s(
    "python-kwarg-double",
    'paramiko.SSHClient().connect("h", username="root", password="@@", timeout=5)',
    "p4ram-1ko",
)
_s(
    "python-dataclass-repr",
    "Settings(host='db', smtp_password='@@', secret_key=SecretStr('**********'))",
    "d4ta-Cl4ss",
)
_s(
    "python-traceback-locals",
    "    password = '@@'\n    self = <Client object at 0x7f3a>\nConnectionError: timed out",
    "l0cals-L3ak",
)
_s("ruby-hash-rocket", 'DB = { :user => "app", :password => "@@" }', "r0cket-M4n")
_s("csharp-property", 'client.Credentials = new NetworkCredential("bob", "@@");', "netw0rk-Cr3d")
_s("rust-const", 'const API_TOKEN: &str = "@@";', _r(224, 40))
_s("kotlin-val", 'val keystorePassword = "@@"', "k0tlin-Isl4nd")
_s("expect-send", 'expect "assword:"\nsend "@@\\r"\ninteract', "exp3ct-M0re")
_s("heredoc-chpasswd", "chpasswd <<EOF\nbob:@@\n" + "EOF", "h3re-D0c-pw")
_s(
    "xml-attribute",
    '<Resource name="jdbc/shop" username="app" password="@@" maxTotal="20"/>',
    "t0mcat-Milk",
)
_s(
    "data-url-base64-html",
    "fetch('data:text/plain;charset=utf-8;base64,@@')",
    _b64("export GITHUB_TOKEN=" + "ghp" + "_" + _r(225, 36) + "\n"),
)

# ---- passwords that are plain words or digits ----------------------------------------------
_s("word-yaml-line-end", "redis:\n  host: cache\n  password: @@", "strawberry")
_s("word-env-dump-passwd", "OLDPWD=/root\nLDAP_BIND_PASSWD=@@\nTERM=xterm", "thunderstorm")
_s("word-kadmin-w", "$ kadmin -p admin/admin -w @@ -q listprincs", "lighthouse")
_s(
    "word-url-postgres",
    "psycopg2.OperationalError: could not connect using postgres://app:@@@db:5432/shop",
    "hummingbird",
)
_s(
    "word-kwarg-single",
    "conn = pymysql.connect(host='db', user='app', passwd='@@', db='shop')",
    "blueberries",
)
_s(
    "word-wget-ftp-password",
    "wget --ftp-user=anon2 --ftp-password=@@ ftp://ftp.acme.io/x",
    "caterpillar",
)
_s("digits-pin-in-chat", "the password for the wifi is @@", "9351774420")
_s(
    "mnemonic-env",
    'MNEMONIC="legal winner thank year @@" npx hardhat deploy',
    "wave sausage worth useful legal winner thank yellow",
)

# ---- people and prompts ----------------------------------------------------------------------
_s("chat-en-pw-short", "login is admin / pw: @@ - don't tell anyone", "Sh0rt&Sweet")
_s("chat-en-changed-to", "I changed the root password to @@ last night", "m00nlight-9")
_s("chat-en-use-credentials", "use these credentials: user bob, password @@.", "dandel1on_W")
_s("chat-it", "La mia password è @@", "sp4ghetti!Al")
_s("chat-pt", "A minha senha é @@, obrigado", "pastel-De-N4ta")
_s("chat-nl", "Het wachtwoord is: @@", "t0rtel-Duif")
_s("chat-pl", "Hasło: @@", "zażółć-Gęśl4")
_s("chat-tr", "Şifre: @@", "çilek-Reçel1")
_s("chat-ja", "パスワードは「@@」です。", "さくら2024餅")
_s("chat-ko", "비밀번호: @@", "무궁화꽃7이")
_s("chat-ru-sentence", "мой пароль @@, не меняй его", "Сн3гопад-12")
_s("chat-zh-sentence", "数据库的密码是 @@", "hua-Cha-889")
_s("chat-ar", "كلمة المرور: @@", "yasmin-Zahr4")
_s(
    "prompt-mysql",
    "$ mysql -u root -p\nEnter password: @@\nWelcome to the MySQL monitor.",
    "mon1tor-Lizard",
)
_s(
    "prompt-git-https",
    "Username for 'https://github.com': bob\nPassword for 'https://bob@github.com': @@\n",
    "gitHub-P4ss-9",
)
_s(
    "prompt-ssh-key-passphrase",
    "Enter passphrase for key '/home/bob/.ssh/id_rsa': @@\nIdentity added",
    "thirteen blue whales",
)
_s("prompt-ftp", "331 Please specify the password.\nPASS @@\n230 Login successful.", "ftp-Pa55age")
_s(
    "smtp-auth-plain",
    "C: AUTH PLAIN @@\nS: 235 2.7.0 Authentication successful",
    _b64("\0mailer\0" + "Pl4in-Sight"),
)
_s("smtp-auth-login-reply", "S: 334 UGFzc3dvcmQ6\nC: @@\nS: 235 ok", _b64("L0gin-Reply-5"))
_s("imap-login", 'a1 LOGIN bob@acme.io "@@"', "im4p-Pl4in")
_s(
    "jenkins-initial",
    "Please use the following password to proceed to installation:\n\n@@\n\nThis may also be found at: /var/jenkins_home/secrets/initialAdminPassword",
    _r(230, 32, _HEX),
)
_s(
    "mysqld-temporary",
    "[Note] A temporary password is generated for root@localhost: @@",
    "u;Yh4k-sQ/2p",
)
_s(
    "elastic-reset",
    "Password for the [elastic] user successfully reset.\nNew value: @@",
    _r(231, 20, _AN + "-*"),
)
_s("csv-row", "user,password,role\nbob,@@,admin\n", "c0mma-Sep4r")


# =============================================================================================
_i("next-token-aws", "aws logs get-log-events --next-token f/page-0003 --limit 50")
_i("continuation-null", '{"nextPageToken": null, "items": []}')
_i("token-limit-log", "Token limit exceeded: 131072 tokens (max_new_tokens=512, tokens/s: 43.1)")
_i("cache-tokens", '"cache_read_input_tokens": 18342, "cache_creation_input_tokens": 0')
_i("unexpected-token-line", "parse error: unexpected token: ELSE at line 12, column 4")
_i("lexer-token-repr", "Token(type=NAME, value='password', lineno=3)")
_i(
    "bos-token",
    '{"bos_token": "<s>", "unk_token": "<unk>", "cls_token": "[CLS]", "pad_token": "<pad>"}',
)
_i("token-expired", "401 Unauthorized: token expired, token is invalid or revoked")
_i("tokens-plural-count", "tokens: 981,223 / 1,000,000")
_i("tiktoken", 'enc = tiktoken.get_encoding("cl100k_base"); n_tokens = len(enc.encode(text))')
_i("git-tree-lines", "100644 blob " + _r(300, 40, _HEX) + "\tsrc/password_reset.py")
_i("git-merge-base", "HEAD is now at " + _r(301, 9, _HEX) + " Fix secret rotation (#1234)")
_i("git-tree-sha256", "tree " + _r(302, 64, _HEX))
_i("etag", 'ETag: W/"' + _r(303, 32, _HEX) + '"')
_i("uuid-list", "volume " + _uuid(304) + " attached to vm " + _uuid(305))
_i("trace-parent", "traceparent: 00-" + _r(306, 32, _HEX) + "-" + _r(307, 16, _HEX) + "-01")
_i("ulid-nanoid", "job 01HZX3K9T4Q7V5N8M2B6C0D1EF queued, slug V1StGXR8_Z5jdHi6B-myT")
_i(
    "docker-layers",
    "Digest: sha256:" + _r(308, 64, _HEX) + "\nStatus: Image is up to date for node:20",
)
_i(
    "container-id",
    _r(309, 12, _HEX)
    + '   redis:7   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   0.0.0.0:6379->6379/tcp   cache',
)
_i("sha1sum-two", _r(310, 40, _HEX) + " *setup.exe")
_i("pip-hash", "requests==2.31.0 \\\n    --hash=sha256:" + _r(311, 64, _HEX))
_i(
    "yarn-lock",
    '  resolved "https://registry.yarnpkg.com/key-tree/-/key-tree-1.0.1.tgz#'
    + _r(312, 40, _HEX)
    + '"\n  integrity sha512-'
    + _r(313, 86, _B64)
    + "==",
)
_i("nix-hash", "/nix/store/" + _r(314, 32, _LOW + _DIG) + "-openssl-3.0.13/bin/openssl")
_i(
    "sri-html",
    '<script src="https://cdn.acme.io/a.js" integrity="sha384-'
    + _r(315, 64, _B64)
    + '" crossorigin="anonymous"></script>',
)
_i(
    "data-url-svg",
    "background: url(data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=)",
)
_i(
    "data-url-jpeg-head",
    "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD",
)
_i(
    "css-module",
    ".passwordField_3xQ7z > .secretToggle__icon--visible { key-frames: none; color: #a1b2c3d4; }",
)
_i(
    "html-password-input",
    '<input type="password" name="password" id="password" placeholder="Password" autocomplete="current-password">',
)
_i("password-optional-python", "password: Optional[str] = None")
_i("password-field-pydantic", "    password: SecretStr = Field(..., min_length=12)")
_i("password-sql-column", "password VARCHAR(255) NOT NULL,\napi_key_id BIGINT PRIMARY KEY")
_i("zod-schema", "password: z.string().min(8), token: z.string().optional(),")
_i("go-struct-tags", 'Password string `json:"password" yaml:"password,omitempty"`')
_i("go-func", "func NewClient(token string, secret []byte) (*Client, error) {")
_i("password-request-form", 'password = request.form["password"]')
_i("password-prompt-call", 'password = getpass.getpass("Password: ")')
_i("js-destructuring", "const { token, secret, apiKey } = await getCredentials();")
_i("process-env", "apiKey: process.env.OPENAI_API_KEY,")
_i("os-getenv-go", 'token := os.Getenv("GITHUB_TOKEN")')
_i("rust-env", 'let password = std::env::var("DB_PASSWORD").expect("DB_PASSWORD must be set");')
_i("compose-interpolation", "POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set me}")
_i("npmrc-interpolation", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}")
_i(
    "command-substitution",
    'TOKEN=$(gcloud auth print-access-token); PASSWORD="$(pass show db/prod)"',
)
_i(
    "powershell-variable",
    "Connect-AzAccount -Credential $cred; $password = Read-Host -AsSecureString",
)
_i("windows-percent-variable", "docker login -u %USER% -p %PASSWORD%")
_i("helm-template", "password: {{ .Values.auth.password | b64enc | quote }}")
_i("gha-inherit", "    secrets: inherit\n    with:\n      token-name: deploy")
_i("azure-pipelines-var", "env:\n  SYSTEM_ACCESSTOKEN: $(System.AccessToken)")
_i("onepassword-ref", "DB_PASSWORD=op://Prod/database/password")
_i("vault-path", "vault kv get -field=password secret/data/prod/db")
_i("password-file-env", "POSTGRES_PASSWORD_FILE=/run/secrets/db_password")
_i("url-template-upper", "postgres://USER:PASSWORD@HOST:PORT/DBNAME")
_i("url-template-angle", "mongodb+srv://<username>:<password>@<cluster>.mongodb.net/")
_i("url-template-shell", "https://${GIT_USER}:${GIT_TOKEN}@github.com/acme/app.git")
_i("url-masked", "redis://:***@cache.acme.io:6379/0")
_i("gh-actions-masked", "git remote add origin https://***@github.com/acme/app")
_i("redis-plain-url", "redis://localhost:6379/0 amqp://mq:5672/vhost")
_i("medium-at-url", "https://medium.com/@user/how-to-store-a-password-5f2c7b1d9e3a")
_i("unpkg-versions", "https://unpkg.com/react@18.2.0/umd/react.production.min.js")
_i("ipv6-url", "http://[fe80::1]:8080/a@b")
_i(
    "go-module-at",
    "go: downloading github.com/golang-jwt/jwt/v5 v5.2.1\ngo install golang.org/x/tools/gopls@v0.15.3",
)
_i(
    "already-redacted-various",
    "Authorization: [redacted:bearer]\nhttps://[redacted:url-password]@host/",
)
_i("ssh-options", "ssh -i ~/.ssh/id_ed25519 -p 22022 -o PasswordAuthentication=no root@10.0.0.9")
_i("scp-P", "scp -P 2222 -pr out/ deploy@web1:/srv/www")
_i(
    "mysql-p-prompt",
    "$ mysql -u root -p < dump.sql\nEnter password: \nERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)",
)
_i("pytest-p", "pytest -p no:cacheprovider -k 'token and not secret' -q")
_i("nmap-ports", "nmap -p1-1024,8443 -Pn 10.0.0.0/24")
_i("python-u", "python -u train.py --tokenizer gpt2 --key-dim 64")
_i("sort-k", "sort -u -t: -k2,2 users.txt; rsync -u host:/srv/a .")
_i("chown", "chown -R www-data:www-data /srv && lsof -p 1234 -u bob")
_i("git-log-p", "git log -p -u --author=alice -- auth/token.py")
_i("psql-W", "psql -U app -W -h db -p 5432 shop")
_i(
    "openssl-passin-file",
    "openssl rsa -passin file:/run/secrets/pass -passout env:KEYPASS -in k.pem",
)
_i("gpg-passphrase-fd", "gpg --batch --passphrase-fd 0 --pinentry-mode loopback -d a.gpg")
_i("partition-key", "partition key: tenant_id, cache_key=user:42:profile, group_key=region")
_i(
    "primary-key-error",
    'duplicate key value violates unique constraint "users_pkey"\nDETAIL:  Key (email)=(bob@acme.io) already exists.',
)
_i("keyerror", "KeyError: 'password'\n  File \"/app/auth.py\", line 31, in login")
_i("key-bindings", "key: ctrl+shift+p, command: workbench.action.showCommands")
_i("redis-keys", '127.0.0.1:6379> GET session:count\n"42"\n127.0.0.1:6379> TTL key:1')
_i("actions-cache-key", "Cache restored from key: node-modules-Linux-" + _r(316, 64, _HEX))
_i(
    "public-key-pem",
    "-----BEGIN PUBLIC KEY-----\n" + "\n".join(_lines(317, 2)) + "\n-----END PUBLIC KEY-----",
)
_i(
    "pgp-signature",
    "-----BEGIN PGP SIGNATURE-----\n\n"
    + "\n".join(_lines(318, 2))
    + "\n="
    + _r(319, 4)
    + "\n-----END PGP SIGNATURE-----",
)
_i("known-hosts", "github.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + _r(320, 180, _B64))
_i("ssh-fingerprint", "256 SHA256:" + _r(321, 43, _B64) + " bob@laptop (ED25519)")
_i("age-recipient", "age1" + _r(322, 58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l"))
_i(
    "ssh-keygen-dialog",
    "Enter passphrase (empty for no passphrase): \nEnter same passphrase again: \nYour identification has been saved in id_ed25519",
)
_i(
    "pem-mention",
    "Look for a line that starts with `-----BEGIN` in your key file; never commit *.pem.",
)
_i("solana-address", "wallet 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU balance 1.25 SOL")
_i("tx-hash", "tx 0x" + _r(323, 64, _HEX) + " mined in block 19283746")
_i("ipfs-cid", "pinned bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi")
_i("arxiv-doi", "arXiv:2305.10601v2, https://doi.org/10.48550/arXiv.2305.10601")
_i("isbn-issn", "ISSN 2049-3630; ISBN-13: 978-0-306-40615-7; EAN 4006381333931")
_i("order-and-tracking-numbers", "Order no. 2024-05-0001-77, tracking 1Z999AA10123456784")
_i("mac-addresses", "ether 52:54:00:12:34:56  txqueuelen 1000  (Ethernet)")
_i("locale-dates", "Last login: Mon May  6 09:12:44 2024 from 10.0.0.14")
_i("secret-recipe", "Grandma's secret: a pinch of cardamom. It's an open secret.")
_i("bearer-prose", "Bearer tokens are sent in the Authorization header; see RFC 6750.")
_i("basic-prose", "A basic understanding of Basic authentication is assumed.")
_i("authorization-prose", "Authorization: required for all endpoints except /health")
_i("www-auth-basic", 'WWW-Authenticate: Basic realm="Restricted area", charset="UTF-8"')
_i(
    "cookie-banner",
    "We use cookies. Cookie policy: see /cookies. Session cookies expire when you close the browser.",
)
_i("cors-header", "Access-Control-Allow-Headers: Authorization, X-Api-Key, X-CSRF-Token, Cookie")
_i(
    "oauth-params",
    "grant_type=password response_type=token token_endpoint=https://idp.acme.io/oauth2/token",
)
_i(
    "kubectl-get-secrets",
    "NAME                  TYPE                                  DATA   AGE\ndefault-token-x7k2p   kubernetes.io/service-account-token   3      41d\ndb-credentials        Opaque                                2      12d",
)
_i("kubectl-describe", "Data\n====\npassword:  16 bytes\nusername:  5 bytes\ntoken:     953 bytes")
_i("tls-secret-name", "tls:\n- hosts: [app.acme.io]\n  secretName: app-tls-cert")
_i("gcp-secret-path", "projects/acme-prod/secrets/db-password/versions/latest")
_i(
    "cs-translations",
    '"password_too_short": "Das Passwort ist zu kurz", "passwords_mismatch": "Les mots de passe ne correspondent pas"',
)
_i("bare-translation", '"password": "Mot de passe", "token": "Jeton", "secret": "Geheimnis"')
_i("ja-rule", "パスワード：8文字以上で入力してください")
_i("es-forgot", "¿Olvidaste tu contraseña? La contraseña es obligatoria.")
_i("fr-wrong", "Le mot de passe est incorrect.")
_i("chat-where-stored", "the password is stored in 1Password, ask Carol for access")
_i("chat-question", "What is the admin password? Is the token still valid?")
_i("chat-policy", "My password is too long for this form, it allows only 16 characters.")
_i(
    "test-assertions",
    "FAILED tests/test_login.py::TestPassword::test_wrong_password - AssertionError: assert 401 == 200",
)
_i("junit-names", "shouldRejectExpiredToken() PASSED\nshouldHashPasswordWithArgon2id() PASSED")
_i(
    "enum-go",
    'const (\n\tAuthTypePassword AuthType = "password"\n\tAuthTypeToken    AuthType = "token"\n)',
)
_i(
    "openapi-schema",
    "password:\n  type: string\n  format: password\n  minLength: 8\n  description: The user's password",
)
_i(
    "argparse",
    "parser.add_argument('--password', '-p', required=True, help='password for the account')",
)
_i(
    "click-usage",
    "Usage: deploy [OPTIONS]\n  --api-key TEXT   API key  [required]\n  --token-ttl INT  seconds  [default: 3600]",
)
_i("rotate-log", "INFO rotating signing key: kid=2024-05-a, previous=2024-04-b, token_ttl=900")
_i(
    "grep-output",
    "src/auth.py:14:    if not check_password(password, user.password_hash):\nsrc/auth.py:22:    return Token.create(user)",
)
_i("sshd-log", "sshd[812]: Failed password for invalid user admin from 203.0.113.9 port 51922 ssh2")
_i("pam-log", "passwd: password updated successfully\nusermod: no changes")
_i(
    "files-listing",
    "-rw-r--r-- 1 bob bob  1204 May  1 10:00 password-policy.md\n-rw-r--r-- 1 bob bob   310 May  1 10:00 tokens.css",
)
_i("password-bool", "password_enabled: true\ntoken_required: false\nsecret: null")
_i(
    "password-auth-setting",
    "PasswordAuthentication yes\nPermitEmptyPasswords no\nKeyRegenerationInterval 3600",
)
_i("bcrypt-cost", "password_hashers: argon2, bcrypt (cost=12), scrypt")
