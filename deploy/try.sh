#!/bin/sh
# Follows the Install section of docs/operations.md in a bare Debian: sh deploy/try.sh [FOLDER]
#
# Needs root, debootstrap and a network. It runs the guide's own lines in order, in a root directory
# that debootstrap creates in FOLDER. There is no systemd in it, so the script starts what the units
# start, as their user and with their settings. It exits with 0 once /health/ready has answered, the
# status, the journal, the settings and the role of the database have been checked, and a deposit has
# been restored. `--list` prints the lines.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
guide=$here/docs/operations.md
suite=${DEBIAN_SUITE:-bookworm}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# The commands of a section: lines that start with four spaces and a number sign.
commands_of() {
    awk -v section="## $1" '
        $0 == section { inside = 1; next }
        /^## / { inside = 0 }
        inside && sub(/^    # /, "")
    ' "$guide"
}

if [ "${1:-}" = --list ]; then
    commands_of Install
    exit
fi

root=$(readlink -m "${1:-/var/tmp/registry-try}")
if [ "$(id -u)" != 0 ]; then
    echo "try.sh: run this as root." >&2
    exit 1
fi
if [ -e "$root" ]; then
    echo "try.sh: $root exists. Choose another folder or remove it." >&2
    exit 1
fi

# Settings of this machine that pip, npm and git need to reach their servers.
passed_on() {
    env | grep -E '^(PIP_(INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|DEFAULT_TIMEOUT)|npm_config_[a-z_]+|(https?|no)_proxy|(HTTPS?|NO)_PROXY)=' || true
    if [ -n "${SSL_CERT_FILE:-}" ]; then
        for name in SSL_CERT_FILE PIP_CERT NODE_EXTRA_CA_CERTS GIT_SSL_CAINFO; do
            echo "$name=/etc/ssl/certs/ca-certificates.crt"
        done
    fi
}

in_root() {
    # No value of these has a blank in it.
    # shellcheck disable=SC2046
    chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LC_ALL=C.UTF-8 $(passed_on) "$@"
}

# Ends what runs in that root and nothing else. Mounts stay busy until the last process is gone.
finish() {
    tries=0
    while [ "$tries" -lt 30 ]; do
        found=
        for each in /proc/[0-9]*; do
            if [ "$(readlink "$each/root" 2>/dev/null)" = "$root" ]; then
                kill "${each#/proc/}" 2>/dev/null || true
                found=yes
            fi
        done
        [ "$found" ] || break
        tries=$((tries + 1))
        sleep 1
    done
    umount "$root/dev/shm" "$root/proc" 2>/dev/null || true
}
trap finish EXIT
trap 'exit 1' INT TERM

echo "== A bare $suite in $root"
debootstrap --variant=minbase \
    --include=adduser,ca-certificates,git,make,python3,python3-venv,sudo "$suite" "$root" "$mirror"
mount -t proc proc "$root/proc"
# The server's processes share memory there, as on any booted machine.
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
if [ -n "${SSL_CERT_FILE:-}" ]; then
    install -m 0644 "$SSL_CERT_FILE" "$root/etc/ssl/certs/ca-certificates.crt"
fi
git -C "$here" bundle create "$root/root/registry.bundle" HEAD

echo "== The guide"
commands_of Install | while IFS= read -r line; do
    case $line in
        systemctl*) echo "(no systemd here) $line"; continue ;;
        *ADDRESS-OF-THIS-REPOSITORY*) line=$(echo "$line" | sed s,ADDRESS-OF-THIS-REPOSITORY,/root/registry.bundle,) ;;
        "registry-manage check --deploy")
            # The guide asks people to fill this in before this line.
            secret=$(in_root python3 -c 'import secrets; print(secrets.token_urlsafe(50))')
            sed -i "s,^REGISTRY_SECRET_KEY=.*,REGISTRY_SECRET_KEY='$secret'," "$root/etc/registry/registry.env" ;;
    esac
    echo "# $line"
    # The guide's lines are typed into one shell, which is in the code's folder once that exists.
    in_root sh -euc "cd /srv/registry 2>/dev/null || true; $line" </dev/null
done

echo "== What the units start"
for unit in web worker log; do
    command=$(sed -n 's/^ExecStart=//p' "$here/deploy/registry-$unit.service")
    key=
    if [ "$unit" = log ]; then
        # systemd passes the key to this service only; here it is copied for the user.
        in_root install -m 0400 -o registry -g registry /etc/registry/log-key /run/log-key
        key='REGISTRY_LOG_KEY_FILE=/run/log-key; export REGISTRY_LOG_KEY_FILE;'
    fi
    in_root sudo -u registry sh -euc "
        set -a; . /etc/registry/registry.env; set +a; umask 027; cd /srv/registry; $key exec $command" &
done
in_root registry-manage tick

echo "== Whether it is ready"
tries=0
until in_root python3 -c "
import urllib.request
print(urllib.request.urlopen('http://127.0.0.1:8000/health/ready').read().decode(), end='')"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 30 ]; then
        echo "try.sh: not ready after a minute." >&2
        exit 1
    fi
    sleep 2
done
in_root registry-manage status || echo "(status says above what needs somebody)"
in_root registry-manage verify_journal

echo "== Whether its settings and the role of its database are safe"
in_root registry-manage check --deploy --fail-level WARNING --database default

echo "== A backup, and back from it"
in_root install -d -m 0700 -o registry -g registry /var/lib/registry/backup /var/lib/registry/again
in_root registry-manage deposit /var/lib/registry/backup
in_root sudo -u registry sh -euc "
    set -a; . /etc/registry/registry.env; set +a; cd /srv/registry
    export REGISTRY_DATABASE_URL=sqlite:////var/lib/registry/again/registry.sqlite3
    export REGISTRY_DATA_DIR=/var/lib/registry/again
    .venv/bin/python manage.py migrate --verbosity 0
    .venv/bin/python manage.py restore --no-input --unsigned /var/lib/registry/backup/registry-*"
echo "== Done. Remove $root when you have looked at it."
