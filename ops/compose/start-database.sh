#!/bin/sh
# Starts PostgreSQL with TLS, by the entry point of its image. The first start makes a key, and a certificate for the name of the service, which
# the other services have as their authority. To renew it, after ten years or before, remove both files and restart all services.
set -eu
key=/var/lib/postgresql/database.key
certificate=/certificate/database.pem
if [ ! -s "$key" ] || [ ! -s "$certificate" ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
    -subj /CN=database -addext subjectAltName=DNS:database -keyout "$key" -out "$certificate"
  chown postgres "$key"
  chmod 600 "$key"
  chmod 644 "$certificate"
fi
exec docker-entrypoint.sh postgres -c ssl=on -c ssl_cert_file="$certificate" -c ssl_key_file="$key"
