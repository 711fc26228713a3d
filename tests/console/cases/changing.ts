/** Commands that change existing objects. */
import type { Case } from './case'

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: "nginx:1.25"}]}
`
const NEWER = WEB.replace('1.25', '1.26')
const OTHER_SELECTOR = WEB.replaceAll('{app: web}}', '{app: other}}')

const SETTINGS = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {color: blue}
---
apiVersion: v1
kind: Secret
metadata: {name: keys}
stringData: {password: swordfish}
`

const WIDGETS = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const WIDGET = `apiVersion: example.com/v1
kind: Widget
metadata: {name: gear}
spec: {size: 3, colors: [red]}
`

export const APPLYING: Case = {
  name: 'applying',
  flags: ['--controllers=off'],
  given: WIDGETS,
  files: {
    'web.yaml': WEB,
    'newer.yaml': NEWER,
    'other.yaml': OTHER_SELECTOR,
    'settings.yaml': SETTINGS,
    'changed.yaml': SETTINGS.replace('blue', 'red').replace('swordfish', 'herring'),
    'widget.yaml': WIDGET,
    'bigger.yaml': WIDGET.replace('size: 3', 'size: 4'),
    'mixed.yaml': `${SETTINGS}---\napiVersion: v1\nkind: Nope\nmetadata: {name: x}\n`,
    'unnamed.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: x-}\n',
  },
  steps: [
    'apply',
    'apply -f web.yaml --dry-run=client',
    'apply -f web.yaml --dry-run=server',
    'apply -f web.yaml',
    'apply -f web.yaml',
    'apply -f web.yaml --dry-run=client',
    'apply -f web.yaml --dry-run=server',
    'apply -f newer.yaml --dry-run=server',
    'apply -f newer.yaml',
    'apply -f newer.yaml -o name',
    'apply -f newer.yaml -o yaml --show-managed-fields',
    'apply -f other.yaml',
    'apply -f settings.yaml',
    'apply -f settings.yaml -f web.yaml',
    'apply -f mixed.yaml -n kube-public',
    'apply -f unnamed.yaml',
    'apply -f missing.yaml',
    'apply -f widget.yaml',
    'apply -f widget.yaml',
    'apply -f bigger.yaml',
    'get widget gear -o yaml',
    'apply view-last-applied deployment/web',
    'apply view-last-applied deployment web -o json',
    'apply view-last-applied configmap,secret --all',
    'apply view-last-applied deployment web -o wide',
    'create configmap plain --from-literal=a=b',
    'apply view-last-applied configmap plain',
    'apply set-last-applied -f web.yaml',
    'apply set-last-applied -f web.yaml',
    'apply set-last-applied -f newer.yaml --dry-run=server',
    'replace -f web.yaml',
    'create deployment bare --image=nginx',
    "apply -f - <<EOF\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: bare}\nspec: {selector: {matchLabels: {app: bare}}, template: {metadata: {labels: {app: bare}}, spec: {containers: [{name: nginx, image: 'nginx:2'}]}}}\nEOF",
    'apply -f web.yaml --force-conflicts',
    'apply -f web.yaml --server-side --dry-run=client',
    'apply -f web.yaml --server-side',
    'apply -f web.yaml --server-side --field-manager=other',
    'apply -f newer.yaml --server-side --field-manager=third',
    'apply -f newer.yaml --server-side --field-manager=third --force-conflicts',
    'apply -f newer.yaml --server-side --dry-run=server',
    'apply -f bigger.yaml --server-side',
    'apply -f widget.yaml --server-side --field-manager=other',
    'apply -f settings.yaml --server-side -n kube-public',
    'diff -f settings.yaml',
    'diff -f changed.yaml',
    'diff -f changed.yaml -n kube-public',
    'diff -f changed.yaml --server-side',
    'diff -f newer.yaml',
    'diff -f bigger.yaml',
    'diff -f other.yaml',
    'diff -f missing.yaml',
    'diff',
    'replace',
    'replace -f widget.yaml',
    'apply -f settings.yaml -o json',
    "apply -f settings.yaml -o jsonpath='{.items[*].kind}'",
    'replace -f newer.yaml',
    'replace -f newer.yaml --dry-run=server',
    'replace -f newer.yaml --dry-run=client',
    'replace -f unnamed.yaml',
    'replace -f other.yaml',
    'replace --force -f settings.yaml',
    'replace -f mixed.yaml -n kube-system',
  ],
}

export const PATCHING: Case = {
  name: 'patching',
  flags: ['--controllers=off'],
  files: {
    'web.yaml': WEB,
    'settings.yaml': SETTINGS,
    'patch.yaml': 'spec: {replicas: 5}\n',
    'widgets.yaml': WIDGETS,
    'widget.yaml': WIDGET,
  },
  steps: [
    'apply -f web.yaml -f settings.yaml',
    'patch deployment web -p \'{"spec":{"replicas":1}}\'',
    'patch deployment web -p \'{"spec":{"replicas":1}}\'',
    "patch deployment web -p 'spec: {replicas: 2}'",
    'patch deployment web',
    'patch deployment web -p foo',
    "patch deployment web -p '{'",
    'patch deployment web --type=json -p \'[{"op":"replace","path":"/spec/replicas","value":1}]\'',
    'patch deployment web --type=json -p \'[{"op":"remove","path":"/spec/nope"}]\'',
    "patch deployment web --type=foo -p '{}'",
    'patch deployment web --type=merge -p \'{"spec":{"replicas":-1}}\'',
    "patch deployment nope -p '{}'",
    'patch deployment web -p \'{"spec":{"replicas":2}}\' --dry-run=client',
    'patch deployment web -p \'{"spec":{"replicas":2}}\' --dry-run=client -o jsonpath=\'{.spec.replicas}\'',
    'patch deployment web -p \'{"spec":{"replicas":2}}\' --dry-run=server',
    'patch deployment web --subresource=scale --type=merge -p \'{"spec":{"replicas":3}}\'',
    'patch deployment web --subresource=status -p \'{"status":{"replicas":3}}\'',
    'patch deployment web --subresource=foo --type=merge -p \'{"spec":{"replicas":3}}\'',
    'patch -f web.yaml -p \'{"spec":{"replicas":3}}\'',
    'patch -f web.yaml --local -p \'{"spec":{"replicas":3}}\' -o yaml',
    'patch deployment web --patch-file patch.yaml',
    "patch deployment web settings -p '{}'",
    'patch deployment web -p \'{"metadata":{"name":"x"}}\'',
    'apply -f widgets.yaml',
    'apply -f widget.yaml',
    'patch widget gear -p \'{"spec":{"size":5}}\'',
    'patch widget gear --type=merge -p \'{"spec":{"size":5}}\'',
    'label deployment web a=b',
    'label deployment web a=b',
    'label deployment web a=c',
    'label deployment web a=c --overwrite',
    'label deployment web a-',
    'label deployment web zz-',
    'label deployment web x=1 y-',
    'label deployment,configmap --all seen=yes',
    'label deployment web',
    'label deployment',
    "label deployment web 'x=!!'",
    "label deployment web '!!=x'",
    'label deployment web x=5 --dry-run=client',
    'label deployment web x=6 --dry-run=server --overwrite',
    'label configmaps -l seen=yes q=r',
    'label deployment nope q=r',
    'label configmaps --all foo=bar --dry-run=client -o name',
    'label deployment web a=b a-',
    'label deployment web x=7 --resource-version=1 --overwrite',
    'label -f web.yaml file=yes',
    'label pods -l nope=1 a=b',
    'label configmap settings --list -l a=b',
    'label deployment web new=yes -o yaml',
    'annotate deployment web a=b',
    'annotate deployment web a=c',
    'annotate deployment web a=c --overwrite',
    'annotate deployment web a-',
    'annotate deployment web zz-',
    'annotate configmap settings --list',
    'annotate deployment web',
    'annotate deployment web x=1 y=2 --dry-run=server',
    'annotate deployment nope a=b',
    'annotate deployment web a=b c',
    'annotate deployment,configmap --all note="two words"',
    'scale deployment web --replicas=3',
    'scale deployment web --replicas=4 --current-replicas=2',
    'scale deployment web --replicas=4 --current-replicas=3',
    'scale deployment/web rs/nope --replicas=2',
    'scale --replicas=2 -f web.yaml',
    'scale configmap settings --replicas=1',
    'scale deployment web --replicas=-2',
    'scale deployment web --replicas=1 --dry-run=client',
    'scale deployment web --replicas=1 --dry-run=server',
    'scale deployment --all --replicas=2',
    'scale deployment web --replicas=2 -o name',
    'scale deployment/nope --replicas=1',
    'scale --replicas=1',
    'scale deployment web --replicas=1 --resource-version=1',
    'set image deployment/web nginx=nginx:1.26',
    'set image deployment/web nginx=nginx:1.26',
    'set image deployment/web foo=bar',
    'set image deployment/web foo=bar nginx=nginx:1.25',
    'set image deployment/web nginx=',
    'set resources deployment/web --requests=cpu=2 --limits=cpu=1',
    "set image deployment/web '*=nginx:1.27'",
    'set image deployment/web',
    'set image deployment/web nginx=x --dry-run=client',
    'set image deployment/web nginx=x --dry-run=server',
    'set image deployment --all nginx=nginx:1.28',
    'set image configmap/settings a=b',
    'set image deployment/nope a=b',
    'set image -f web.yaml nginx=nginx:3',
    'set env deployment/web A=b C=d',
    'set env deployment/web --list',
    'set env deployment/web A-',
    'set env deployment/web A=c --overwrite=false',
    'set env deployment/web C=c --overwrite=false',
    'set env deployment/web --from=configmap/settings --prefix=P_',
    'set env deployment/web --from=secret/keys',
    'set env deployment/web --list',
    'set env deployment/web --list --resolve',
    'set env deployment/web 1A=b',
    'set env deployment/web A=b -c nope',
    'set env deployment/web A=d --dry-run=server',
    'set resources deployment/web --limits=cpu=200m,memory=512Mi --requests=cpu=100m',
    'set resources deployment/web --limits=cpu=200m,memory=512Mi --requests=cpu=100m',
    'set resources deployment/web',
    'set resources deployment/web --limits=cpu=x',
    'set resources deployment/web --limits=cpu=0 -c=nope',
    'set serviceaccount deployment/web robot',
    'set sa deployment web other -o name',
    'create service clusterip web --tcp=80',
    'set selector service web app=other',
    'set selector service web app=other -o name',
    'create rolebinding readers --clusterrole=view --user=anna',
    'set subject rolebinding readers --user=zoe --group=devs',
    'set subject rolebinding readers',
    'get deployment web -o yaml',
    'edit deployment nope',
  ],
}

export const DELETING: Case = {
  name: 'deleting',
  flags: [],
  files: { 'web.yaml': WEB, 'settings.yaml': SETTINGS },
  steps: [
    'delete',
    'delete pods',
    'delete pods nope other',
    'delete pods nope --ignore-not-found',
    'delete pods -l a=b',
    'delete pods --all',
    'apply -f web.yaml -f settings.yaml',
    'delete pods -l app=web --force',
    'delete pods --all --now --dry-run=server',
    'delete deployment web --dry-run=client',
    'delete deployment web --dry-run=server -o name',
    'delete -f web.yaml --cascade=foo',
    'delete ns nope -n default',
    'create namespace shop',
    'delete ns shop -n default',
    'delete deployment web --cascade=orphan',
    'delete -f web.yaml',
    'delete -f web.yaml --ignore-not-found',
    'delete rs --all -o name',
    'delete pods web --all',
    'delete configmap settings secret/keys',
    'delete configmap/settings secret/keys secret/nope',
    'delete pods,services -l a=b',
    'delete cm --field-selector metadata.name=x',
    'delete pods -A -l x=y',
    'delete cm --all -l a=b',
    'delete pod x --now --grace-period=3',
    'delete pod x --force --grace-period=3',
    'delete foos x',
    'delete -f web.yaml deployment web',
    'delete configmaps --all -n kube-node-lease',
  ],
}
