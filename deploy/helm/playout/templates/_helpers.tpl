{{- define "playout.name" -}}
{{- $name := printf "%s-%s" .Release.Name .Chart.Name }}
{{- if contains .Chart.Name .Release.Name }}{{ $name = .Release.Name }}{{ end }}
{{- $name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "playout.selector" -}}
app.kubernetes.io/name: playout
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "playout.labels" -}}
{{ include "playout.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "playout.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "playout.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "playout.secret" -}}
{{- if and .Values.secret.existing .Values.secret.values }}{{ fail "set secret.existing or secret.values, not both" }}{{ end }}
{{- .Values.secret.existing | default (include "playout.name" .) }}
{{- end }}

{{- define "playout.image" -}}
{{- $repository := required "set image.repository to where the image is that you have built of deploy/Dockerfile: there is no published one" .Values.image.repository }}
{{- printf "%s:%s" $repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}

{{- /* How many nodes a role has at least; 0 if it does not run. */}}
{{- define "playout.replicas" -}}
{{- $autoscaling := .autoscaling | default dict }}
{{- if $autoscaling.enabled }}{{ $autoscaling.minReplicas }}{{ else }}{{ .replicas }}{{ end }}
{{- end }}
