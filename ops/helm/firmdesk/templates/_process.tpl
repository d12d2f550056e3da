{{- define "firmdesk.deployment" -}}
{{- $root := .root -}}
{{- $settings := index $root.Values .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $root.Release.Name }}-{{ .role }}
  labels: &labels
    app.kubernetes.io/name: firmdesk
    app.kubernetes.io/instance: {{ $root.Release.Name }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ $settings.replicas }}
  # A new pod is ready before an old one drains.
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
  selector: { matchLabels: *labels }
  template:
    metadata:
      labels: *labels
      annotations:
        prometheus.io/scrape: "true"
        prometheus.io/port: "9100"
    spec:
      # A drain takes at most 22.5 s.
      terminationGracePeriodSeconds: 30
      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: {{ .role }}
          image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: ["--role", "{{ .role }}"]
          env:
            - { name: DATABASE_URL, value: {{ $root.Values.database.url | quote }} }
            - { name: DATABASE_PASSWORD_FILE, value: /run/secrets/firmdesk/database-password }
            - { name: PUBLIC_URL, value: {{ $root.Values.publicUrl | quote }} }
            {{- with $root.Values.trustedProxies }}
            - { name: TRUSTED_PROXIES, value: {{ . | quote }} }
            {{- end }}
            - { name: DRAIN_SECONDS, value: {{ $root.Values.drainSeconds | quote }} }
            - { name: METRICS_PORT, value: "9100" }
            {{- range $name, $value := $root.Values.env }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          ports:
            - { name: http, containerPort: 4000 }
            - { name: metrics, containerPort: 9100 }
          # A start can wait for another process that migrates.
          startupProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 5, failureThreshold: 720 }
          livenessProbe: { httpGet: { path: /healthz, port: metrics }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
          readinessProbe: { httpGet: { path: /readyz, port: metrics }, periodSeconds: 1, timeoutSeconds: 3, failureThreshold: 2 }
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          {{- with $settings.resources }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - { name: secret, mountPath: /run/secrets/firmdesk, readOnly: true }
      volumes:
        - { name: secret, secret: { secretName: {{ $root.Values.secret }} } }
{{- end -}}
