// Writes the schema of all objects that Kubernetes can store as protobuf, read off the official Go
// types: field numbers from their protobuf tags, names and omissions from their json tags.
//
//	go run . > ../src/main/resources/io/keyward/storage/object/kubernetes.schema
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"sort"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
)

// Types whose JSON is not that of their fields.
var special = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():          "time",
	reflect.TypeFor[metav1.MicroTime]():     "microtime",
	reflect.TypeFor[metav1.FieldsV1]():      "raw",
	reflect.TypeFor[runtime.RawExtension](): "raw",
	reflect.TypeFor[resource.Quantity]():    "quantity",
	reflect.TypeFor[intstr.IntOrString]():   "int-or-string",
}

var (
	marshaler = reflect.TypeFor[json.Marshaler]()
	messages  = map[string]reflect.Type{}
)

func main() {
	var kinds []string
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if meta, found := t.FieldByName("ObjectMeta"); found && meta.Anonymous && gvk.Version != runtime.APIVersionInternal {
			kinds = append(kinds, fmt.Sprintf("kind %s %s %s", gvk.GroupVersion(), gvk.Kind, message(t)))
		}
	}
	sort.Strings(kinds)
	lines := map[string][]string{}
	for len(lines) < len(messages) {
		for name, t := range messages {
			if _, done := lines[name]; !done {
				lines[name] = fields(t)
			}
		}
	}
	names := make([]string, 0, len(lines))
	for name := range lines {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Printf("# Objects of Kubernetes (%s), made by storage/schema; do not edit.\n", apiVersion())
	fmt.Println("# kind APIVERSION KIND MESSAGE; message NAME; then its fields: NUMBER JSON-NAME SHAPE TYPE FLAGS")
	fmt.Println("# FLAGS: p pointer, e omitted when empty, z omitted when zero, i fields are the parent's own")
	fmt.Println(strings.Join(kinds, "\n"))
	for _, name := range names {
		fmt.Println("message " + name)
		for _, line := range lines[name] {
			fmt.Println(line)
		}
	}
}

func apiVersion() string {
	info, _ := debug.ReadBuildInfo()
	for _, dep := range info.Deps {
		if dep.Path == "k8s.io/api" {
			return dep.Path + " " + dep.Version
		}
	}
	return "unknown"
}

func message(t reflect.Type) string {
	path := strings.TrimPrefix(t.PkgPath(), "k8s.io/api/")
	path = strings.TrimPrefix(path, "k8s.io/apimachinery/pkg/apis/")
	name := path + "." + t.Name()
	messages[name] = t
	return name
}

func fields(t reflect.Type) []string {
	if t.Implements(marshaler) || reflect.PointerTo(t).Implements(marshaler) {
		fail(t, "has JSON of its own")
	}
	var lines []string
	for i := range t.NumField() {
		field := t.Field(i)
		tag, found := field.Tag.Lookup("protobuf")
		if !found {
			if field.Type != reflect.TypeFor[metav1.TypeMeta]() {
				fail(t, "no protobuf tag: "+field.Name)
			}
			continue
		}
		if tag == "-" {
			continue
		}
		lines = append(lines, line(t, field, strings.Split(tag, ",")))
	}
	return lines
}

func line(t reflect.Type, field reflect.StructField, tag []string) string {
	names := strings.Split(field.Tag.Get("json"), ",")
	name, flags := names[0], ""
	for _, option := range names[1:] {
		switch option {
		case "omitempty":
			flags += "e"
		case "omitzero":
			flags += "z"
		case "inline":
			flags += "i"
		default:
			fail(t, "json option: "+option)
		}
	}
	if name == "" {
		if !strings.Contains(flags, "i") {
			fail(t, "no json name: "+field.Name)
		}
		name = "-"
	}
	shape, kind := "one", field.Type
	if kind.Kind() == reflect.Pointer {
		flags, kind = flags+"p", kind.Elem()
	}
	switch {
	case isStrings(kind), isBytes(kind):
	case kind.Kind() == reflect.Slice:
		shape, kind = "many", kind.Elem()
	case kind.Kind() == reflect.Map:
		if kind.Key().Kind() != reflect.String {
			fail(t, "map key: "+field.Name)
		}
		shape, kind = "map", kind.Elem()
	}
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if flags == "" {
		flags = "-"
	}
	return fmt.Sprintf("%s %s %s %s %s", tag[1], name, shape, typeName(t, field, kind), flags)
}

// A list that is a message of its own on the wire, as metav1.Verbs.
func isStrings(t reflect.Type) bool {
	_, marshals := reflect.PointerTo(t).MethodByName("MarshalToSizedBuffer")
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String && marshals
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func typeName(t reflect.Type, field reflect.StructField, kind reflect.Type) string {
	if name, found := special[kind]; found {
		return name
	}
	switch {
	case isStrings(kind):
		return "strings"
	case isBytes(kind):
		return "bytes"
	}
	switch kind.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Int64:
		return "int"
	case reflect.Struct:
		return message(kind)
	}
	fail(t, "type of "+field.Name+": "+kind.String())
	return ""
}

func fail(t reflect.Type, why string) {
	fmt.Fprintln(os.Stderr, t.String()+": "+why)
	os.Exit(1)
}
