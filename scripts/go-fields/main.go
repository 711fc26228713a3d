// Command gofields prints the JSON fields of every API type of a release in the order of the Go
// source, with their Go type and the encoding of empty values, for go-fields.json of the facts.
//
//	go run . DIR-OF-k8s.io/api DIR-OF-apimachinery DIR-OF-apiextensions-apiserver DIR-OF-kube-aggregator
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

type pkg struct {
	name  string
	types map[string]ast.Expr
	files map[string]*ast.File // of each type
	alias map[string]bool
}

var modules = map[string]string{} // import path of a module -> directory
var packages = map[string]*pkg{}

func load(path string) *pkg {
	if p, ok := packages[path]; ok {
		return p
	}
	dir := ""
	for module, at := range modules {
		if path == module || strings.HasPrefix(path, module+"/") {
			dir = filepath.Join(at, strings.TrimPrefix(path, module))
		}
	}
	p := &pkg{types: map[string]ast.Expr{}, files: map[string]*ast.File{}, alias: map[string]bool{}}
	packages[path] = p
	if dir == "" {
		return p
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") || strings.HasPrefix(e.Name(), "zz_") || e.Name() == "generated.pb.go" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		p.name = f.Name.Name
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					p.types[t.Name.Name] = t.Type
					p.files[t.Name.Name] = f
					p.alias[t.Name.Name] = t.Assign.IsValid()
				}
			}
		}
	}
	return p
}

func imported(f *ast.File, name string) string {
	for _, i := range f.Imports {
		path := strings.Trim(i.Path.Value, `"`)
		if i.Name != nil {
			if i.Name.Name == name {
				return path
			}
		} else if filepath.Base(path) == name {
			return path
		}
	}
	return ""
}

func typeName(e ast.Expr, f *ast.File, own string, path string) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return "*" + typeName(t.X, f, own, path)
	case *ast.ArrayType:
		return "[]" + typeName(t.Elt, f, own, path)
	case *ast.MapType:
		return "map[" + typeName(t.Key, f, own, path) + "]" + typeName(t.Value, f, own, path)
	case *ast.SelectorExpr:
		p := imported(f, t.X.(*ast.Ident).Name)
		if q := load(p); q.alias[t.Sel.Name] {
			return typeName(q.types[t.Sel.Name], q.files[t.Sel.Name], q.name, p)
		}
		return filepath.Base(p) + "." + t.Sel.Name
	case *ast.InterfaceType:
		return "interface {}"
	case *ast.Ident:
		if t.Name == "byte" {
			return "uint8"
		}
		if p := load(path); p.alias[t.Name] {
			return typeName(p.types[t.Name], p.files[t.Name], own, path)
		}
		if _, ok := load(path).types[t.Name]; ok {
			return own + "." + t.Name
		}
		return t.Name
	}
	return fmt.Sprintf("%T", e)
}

type field struct{ name, value string }

func fields(path, name string) []field {
	p := load(path)
	s, ok := p.types[name].(*ast.StructType)
	if !ok {
		// type A B, or type A pkg.B
		switch t := p.types[name].(type) {
		case *ast.Ident:
			return fields(path, t.Name)
		case *ast.SelectorExpr:
			return fields(imported(p.files[name], t.X.(*ast.Ident).Name), t.Sel.Name)
		}
		return nil
	}
	f := p.files[name]
	var out []field
	for _, m := range s.Fields.List {
		tag := ""
		if m.Tag != nil {
			tag = reflect.StructTag(strings.Trim(m.Tag.Value, "`")).Get("json")
		}
		parts := strings.Split(tag, ",")
		if parts[0] == "-" {
			continue
		}
		if parts[0] == "" {
			if len(m.Names) > 0 {
				continue
			}
			switch t := m.Type.(type) {
			case *ast.Ident:
				out = append(out, fields(path, t.Name)...)
			case *ast.SelectorExpr:
				out = append(out, fields(imported(f, t.X.(*ast.Ident).Name), t.Sel.Name)...)
			}
			continue
		}
		presence := "always"
		for _, o := range parts[1:] {
			if o == "omitempty" && presence == "always" {
				presence = "omitempty"
			}
			if o == "omitzero" {
				presence = "omitzero"
			}
		}
		out = append(out, field{parts[0], presence + " " + typeName(m.Type, f, p.name, path)})
	}
	return out
}

func main() {
	names := []string{"api", "apimachinery", "apiextensions-apiserver", "kube-aggregator"}
	for i, n := range names {
		modules["k8s.io/"+n] = os.Args[i+1]
	}
	var lines []string
	for i, n := range names {
		filepath.WalkDir(os.Args[i+1], func(at string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(os.Args[i+1], at)
			path := "k8s.io/" + n + "/" + rel
			if n != "api" && !strings.HasPrefix(rel, "pkg/apis/") && rel != "pkg/version" {
				return nil
			}
			p := load(path)
			for name := range p.types {
				fs := fields(path, name)
				if len(fs) == 0 || !ast.IsExported(name) {
					continue
				}
				var b strings.Builder
				for k, x := range fs {
					if k > 0 {
						b.WriteByte(',')
					}
					v, _ := json.Marshal(x.value)
					b.WriteString(fmt.Sprintf("%q:%s", x.name, v))
				}
				key := "io." + strings.ReplaceAll(strings.ReplaceAll(path, "k8s.io/", "k8s/"), "/", ".") + "." + name
				lines = append(lines, fmt.Sprintf("%q:{%s}", key, b.String()))
			}
			return nil
		})
	}
	fmt.Println("{" + strings.Join(lines, ",\n") + "}")
}
