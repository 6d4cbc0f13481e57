/// The text of a configuration, read as kube-apiserver reads it.
///
/// kube-apiserver reads JSON with Go's `encoding/json`, and anything else with
/// `go.yaml.in/yaml/v2`, a translation of libyaml that knows YAML 1.1 only. A reader of YAML 1.2
/// accepts other documents. The scanner and the parser here therefore follow go-yaml line by line,
/// including the moment at which a wrong byte is noticed: an error behind the first document may
/// stay unseen.
///
/// The scanner and the parser derive from go-yaml and libyaml, Copyright (c) 2006-2011 Kirill
/// Simonov, Copyright (c) 2011-2019 Canonical Ltd, under the MIT and the Apache 2.0 license.
@org.jspecify.annotations.NullMarked
package io.keyward.storage.config.text;
