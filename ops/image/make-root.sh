#!/bin/sh
# Makes the root file system of the image: Node with its libraries, and the compiled tree. There is no shell and no package manager.
# Usage: make-root.sh NODE APP ROOT
set -eu
node=$1 app=$2 root=$3

mkdir -p "$root/usr/bin" "$root/etc" "$root/tmp"
chmod 1777 "$root/tmp"
# For a volume with the files of messages, which gets this mode.
mkdir "$root/attachments"
chmod 1777 "$root/attachments"
cp "$node" "$root/usr/bin/node"
cp -a "$app" "$root/app"
# As in the packages' archives, files belong to the builder. Nobody in the container may change them.
chown -R 0:0 "$root/app"
chmod -R u=rwX,go=rX "$root/app"
# The libraries of Node and of compiled packages, and the loader.
{ ldd "$node"; find "$app" -name '*.node' -exec ldd {} +; } |
  sed -n 's/^.*=> \(\/[^ ]*\) .*$/\1/p; s/^[[:space:]]*\(\/[^ ]*\) .*$/\1/p' | grep -v ':$' | sort -u |
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
echo 'firmdesk:x:65532:65532::/app:/sbin/nologin' > "$root/etc/passwd"
echo 'firmdesk:x:65532:' > "$root/etc/group"
# Names are resolved by the files that the container's runtime writes, then by DNS.
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
# Authorities for `sslrootcert=system`. Node has its own list.
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  mkdir -p "$root/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
fi
