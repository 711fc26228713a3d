package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type acc struct{ s string }

func (a acc) GetExpression() string      { return a.s }
func (a acc) ReturnTypes() []*cel.Type   { return []*cel.Type{cel.AnyType, cel.DynType} }

type allow struct{}

func (allow) Authorize(ctx context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	return authorizer.DecisionAllow, "why", nil
}

func main() {
	_ = version.MajorMinor
	es := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion(), os.Getenv("STRICT") == "1")
	c := plugincel.NewCompiler(es)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<24)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var obj interface{}
	json.Unmarshal([]byte(`{"a":1}`), &obj)
	for in.Scan() {
		var s string
		if err := json.Unmarshal(in.Bytes(), &s); err != nil {
			panic(err)
		}
		res := map[string]interface{}{"e": s}
		func() {
		defer func() {
			if p := recover(); p != nil {
				res["panic"] = fmt.Sprint(p)
			}
		}()
		r := c.CompileCELExpression(acc{s}, plugincel.OptionalVariableDeclarations{HasParams: true, HasAuthorizer: true, StrictCost: os.Getenv("STRICT") == "1"}, environment.StoredExpressions)
		if r.Error != nil {
			res["compile"] = r.Error.Error()
		} else {
			func() {
				defer func() {
					if p := recover(); p != nil {
						res["panic"] = fmt.Sprint(p)
					}
				}()
				v, d, err := r.Program.ContextEval(context.Background(), map[string]interface{}{
					"object":     map[string]interface{}{"a": int64(1), "l": []interface{}{"x", int64(2)}, "n": nil, "f": 1.5, "s": "t", "b": true, "m": map[string]interface{}{"k": "v"}},
					"authorizer": library.NewAuthorizerVal(&user.DefaultInfo{Name: "u"}, allow{}),
				})
				if err != nil {
					res["error"] = err.Error()
				} else {
					res["type"] = v.Type().TypeName()
					res["value"] = fmt.Sprintf("%v", v.Value())
				}
				if d != nil && d.ActualCost() != nil { res["cost"] = *d.ActualCost() }
			}()
		}
		}()
		b, _ := json.Marshal(res)
		out.Write(b)
		out.WriteByte('\n')
	}
}
