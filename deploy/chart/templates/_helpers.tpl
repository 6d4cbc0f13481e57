{{- define "keyward.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- /* The configuration of the operator and the node agents. Resources are named only if they are not the default. */ -}}
{{- define "keyward.config" -}}
apiServers:
  - component: kube-apiserver
    operatorResource: clusterencryptions
    workload: {{ .Values.workload }}
{{- if ne (sortAlpha .Values.resources | join ",") "configmaps,secrets" }}
    resources: [{{ join ", " .Values.resources }}]
{{- end }}
{{ end -}}

{{- /* API groups of the encrypted resources with the names in each: "widgets.example.com" is "widgets" in "example.com". */ -}}
{{- define "keyward.resourceGroups" -}}
{{- $groups := dict -}}
{{- range .Values.resources -}}
{{- $parts := splitn "." 2 . -}}
{{- $group := $parts._1 | default "" -}}
{{- $names := get $groups $group | default dict -}}
{{- $_ := set $names $parts._0 true -}}
{{- $_ := set $groups $group $names -}}
{{- end -}}
{{- toJson $groups -}}
{{- end -}}
