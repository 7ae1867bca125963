#!/bin/sh
# Makes a Debian package of this checkout: sh deploy/debian/build-deb.sh [folder]; after npm ci and npm run build.
# Files go to /usr/lib/headwater, the program to /usr/bin/headwater, data to /var/lib/headwater.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$here}
version=$(node -p "require('$here/package.json').version")
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

install -d "$root/DEBIAN" "$root/usr/lib/headwater" "$root/usr/bin" "$root/lib/systemd/system" "$root/etc/headwater" "$root/usr/share/doc/headwater"
cp -r "$here/dist" "$here/package.json" "$here/package-lock.json" "$root/usr/lib/headwater/"
cp -r "$here/node_modules" "$root/usr/lib/headwater/"
(cd "$root/usr/lib/headwater" && npm prune --omit=dev --ignore-scripts --no-audit --no-fund --offline >/dev/null)
install -m 644 "$here/deploy/systemd/headwater.service" "$root/lib/systemd/system/"
install -m 644 "$here/LICENSE" "$root/usr/share/doc/headwater/copyright"
cat > "$root/usr/bin/headwater" <<'PROGRAM'
#!/bin/sh
exec /usr/bin/node /usr/lib/headwater/dist/bin/headwater.js "$@"
PROGRAM
chmod 755 "$root/usr/bin/headwater"
cat > "$root/etc/headwater/headwater.env" <<'SETTINGS'
# Settings of the service, as HEADWATER_BUDGET=5000/day; see docs/operating.md.
SETTINGS
echo /etc/headwater/headwater.env > "$root/DEBIAN/conffiles"
cat > "$root/DEBIAN/control" <<CONTROL
Package: headwater
Version: $version
Architecture: $architecture
Maintainer: The Headwater developers <headwater@localhost>
Depends: nodejs (>= 20), adduser
Section: web
Priority: optional
Homepage: https://github.com/headwater-feeds/headwater
Description: feed aggregator that spends a limited number of requests where they are worth most
CONTROL
cat > "$root/DEBIAN/postinst" <<'AFTER'
#!/bin/sh
set -e
if [ "$1" = configure ]; then
  adduser --system --group --quiet --home /var/lib/headwater --no-create-home headwater
  install -d -o headwater -g headwater -m 700 /var/lib/headwater
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --now headwater.service
  fi
fi
AFTER
cat > "$root/DEBIAN/prerm" <<'BEFORE'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl stop headwater.service; fi
BEFORE
# Data stays: nobody loses an archive with a package.
cat > "$root/DEBIAN/postrm" <<'GONE'
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
GONE
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm" "$root/DEBIAN/postrm"
find "$root/usr" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zgzip --build "$root" "$out/headwater_${version}_$architecture.deb"
