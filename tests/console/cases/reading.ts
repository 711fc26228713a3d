/** kubectl get in its output formats, and API discovery. */
import type { Case } from './case'

const PODS = `apiVersion: v1
kind: Pod
metadata:
  name: web-1
  labels: {app: web, tier: front}
  annotations: {example.org/note: "a <b> & c"}
spec:
  containers:
  - name: web
    image: nginx:1.27
    ports:
    - {name: http, containerPort: 80}
    - {name: admin, containerPort: 8080}
---
apiVersion: v1
kind: Pod
metadata:
  name: web-2
  labels: {app: web}
spec:
  nodeName: one
  containers:
  - name: web
    image: nginx:1.27
  - name: side
    image: busybox
`

const OTHERS = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: "nginx:1.27"}
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
  - {name: http, port: 80}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  color: blue
  text: |
    two
    lines
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: kube-public
data: {color: red}
---
apiVersion: v1
kind: Node
metadata:
  name: one
`

const ACCOUNT = `apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
`

export const READING: Case = {
  name: 'reading',
  independent: true,
  flags: ['--controllers=off'],
  given: `${ACCOUNT}${PODS}---\n${OTHERS}`,
  files: { 'pods.yaml': PODS, 'others.yaml': OTHERS },
  steps: [
    'get pods',
    'get pods -o wide',
    'get po --no-headers',
    'get pod web-1',
    'get pods web-2 web-1',
    'get pod/web-1 deployment/web',
    'get pods,svc,deploy',
    'get all',
    'get all -A',
    'get configmaps -A',
    'get cm,nodes',
    'get nodes --show-labels',
    'get pods --show-labels -L tier',
    'get pods -L app,tier --no-headers',
    'get pods -l tier',
    "get pods -l 'tier notin (front)'",
    'get pods -l app=db',
    'get cm -n kube-public',
    'get cm --namespace=kube-system',
    'get pods --field-selector metadata.name=web-2',
    'get pods --show-kind',
    'get deploy --show-kind --no-headers',
    'get pods -o name',
    'get pods,svc -o name',
    'get deployment.apps web -o name',
    'get deployments.v1.apps',
    'get Pod',
    'get pods -o yaml',
    'get pod web-1 -o yaml',
    'get cm settings -o json',
    'get cm settings -ojson --show-managed-fields',
    'get cm -o json',
    'get cm nothing -o yaml --ignore-not-found',
    'get pods -l app=db -o yaml',
    'get pods,cm -o yaml',
    'get pods --sort-by=.metadata.labels.tier',
    'get pods --sort-by=.spec.containers[0].name',
    'get pods --sort-by=.nothing',
    'get pods --sort-by={.metadata.name} -o name',
    'get cm -A --sort-by=.data.color --no-headers',
    'get pods,svc --sort-by=.metadata.name',
    'get deployment web --subresource=scale',
    'get deployment web --subresource=scale -o yaml',
    'get deployment web --subresource=status -o jsonpath={.spec.replicas}',
    'get -f others.yaml',
    'get -f pods.yaml -o name',
    'get pods --chunk-size=1',
    'get pods --chunk-size=1 -o name',
    'get cm nothing',
    'get cm nothing settings gone',
    'get cm nothing --ignore-not-found',
    'get pods -n nowhere',
    'get secrets -A',
    'get --raw /version',
    'get --raw /api/v1/namespaces/default/configmaps/settings',
    'get --raw /nothing',
    "get pods -o jsonpath='{.items[*].metadata.name}'",
    `get pods -o jsonpath='{range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[*].image}{"\\n"}{end}'`,
    `get pod web-1 -o jsonpath='{.spec.containers[0].ports[?(@.name=="admin")].containerPort}'`,
    "get pod web-1 -o jsonpath='{.metadata.labels}'",
    "get pod web-1 -o jsonpath='{.metadata.annotations}'",
    "get pod web-1 -o jsonpath='{.metadata.annotations.example\\.org/note}'",
    "get pod web-1 -o jsonpath='{..containerPort}'",
    "get pod web-1 -o jsonpath='{.nothing}'",
    "get pod web-1 -o jsonpath='{.nothing}' --allow-missing-template-keys=false",
    "get cm settings -o jsonpath='{.data.text}'",
    "get cm settings -o jsonpath='{.data[0]}'",
    "get cm settings -o jsonpath='{.data'",
    'get cm settings -o jsonpath=color',
    "get cm settings -o jsonpath-as-json='{.data}'",
    'get pods -o custom-columns=NAME:.metadata.name,IMAGES:.spec.containers[*].image,TIER:.metadata.labels.tier',
    'get pod web-2 -o custom-columns=N:metadata.name --no-headers',
    'get cm settings -o custom-columns=DATA:.data',
    'get pods -o custom-columns=NAME',
    'get pods -o custom-columns=NAME:{',
    { line: 'get pods -w', interruptAfter: 1500 },
    { line: 'get pod web-1 -w', interruptAfter: 1500 },
    { line: 'get pods -w --output-watch-events --no-headers', interruptAfter: 1500 },
    { line: 'get pod web-2 --watch-only', interruptAfter: 1500 },
    { line: 'get cm settings -w -o yaml', interruptAfter: 1500 },
    'api-resources',
    'api-resources -o wide',
    'api-resources -o name',
    'api-resources --namespaced=false --no-headers',
    'api-resources --api-group=apps --sort-by=kind',
    'api-resources --verbs=list,deletecollection --sort-by=name -o name',
    'api-resources --categories=all',
  ],
}

/** Without the name this line must not select all objects of the kind. */
const UNNAMED = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: present}\n'

/** Lines with errors, and their messages. */
export const MISTAKES: Case = {
  name: 'mistakes',
  independent: true,
  flags: ['--controllers=off'],
  given: UNNAMED,
  files: {
    'typeless.yaml': 'metadata: {name: x}\n',
    'kindless.yaml': 'apiVersion: v1\nmetadata: {name: x}\n',
    'unnamed.yaml': UNNAMED.replace('name: present', 'labels: {a: b}'),
  },
  steps: [
    'get foo',
    'get foo.example.org',
    'get foo.v1.example.org',
    'get pods,foo',
    'get foo/x',
    'get',
    'get pods/a/b',
    'get pods/a b',
    'get pods,services/a',
    'get pods/',
    'get pods a -A',
    'get pods.v1',
    'get pods.v1. -o name',
    'get pod a -n nowhere',
    'get pods,cm a -l app=web',
    'get cm present -o YAML',
    'get cm absent -o foo',
    'explain pods.spec.containers[0]',
    "explain pods.metadata['labels']",
    'explain pods,nodes',
    'describe pod/a cm/b',
    'describe cm pre',
    'describe cm/pre',
    'describe cm,secret absent',
    'auth can-i --list -A',
    'delete cm present -o yaml',
    'set image cm present',
    'set subject cm present --user=anna',
    'set selector cm present a',
    'create role reader --verb=use --resource=pods',
    'create role reader --verb=impersonate --resource=users --dry-run=client',
    "patch cm present -p ''",
    'run web --image=nginx --image-pull-policy=Sometimes',
    'run web --image=nginx -e A=b',
    'rollout restart deployment -l app=web',
    'scale deployment web --replicas=1 -o wide',
    'create deployment web --image=nginx --replicas=-1',
    'get pods a -l app=web',
    'get pods/a -l app=web',
    'get pods -l a=b=c',
    "get pods -l '=x'",
    'get pods --field-selector spec.foo=bar',
    'get pods --field-selector x',
    'get pods --foo',
    'get pods -q',
    'get pods -o',
    'get pods --chunk-size=x',
    'get pods -w=x',
    'get pods --show-labels -o yaml',
    'get pods --output-watch-events',
    'get pods --subresource=log',
    'get pods --subresource=status',
    'get pods -o foo',
    'get pods -o jsonpath',
    'get pods -o jsonpath=',
    'get pods -o custom-columns=',
    'get --raw foo',
    'get --raw /version pods',
    'get --raw /version -o yaml',
    'get pods,svc -w',
    'get pods a b -w',
    'get -f nothing.yaml',
    'get pods --as bob',
    'get pod x --as bob --as-group devs',
    'get pods --as-group devs',
    'api-resources foo',
    'api-resources -o json',
    'gte pods',
    'get ev',
    'apply -f typeless.yaml',
    'apply -f typeless.yaml --validate=false',
    'apply -f kindless.yaml --server-side',
    'create -f typeless.yaml',
    'replace -f kindless.yaml',
    'delete -f typeless.yaml',
    'apply -f unnamed.yaml',
    'delete -f unnamed.yaml',
    'label -f unnamed.yaml a=b',
    'patch -f unnamed.yaml -p {}',
    'label',
    'label a=b',
    'label configmap present a=b=c',
    'annotate',
    'set image',
    'set resources',
    'set selector',
    'set subject',
    'rollout status',
    'rollout history',
    'rollout undo',
    'api-resources --sort-by=group',
    'auth can-i update foos.example.org',
    'auth can-i impersonate users',
    'cordon a b',
    'create deployment',
    'create cronjob',
    'create secret docker-registry pull',
    'run web --image=nginx --port=x',
    'config get-users',
    'config get-clusters',
  ],
}
