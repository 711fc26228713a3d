/** Commands that create objects, from manifests and from arguments. */
import type { Case } from './case'

const CONFIG_MAPS = `apiVersion: v1
kind: ConfigMap
metadata: {name: first}
data: {color: blue}
---
apiVersion: v1
kind: Nope
metadata: {name: unknown}
---
apiVersion: v1
kind: Pod
metadata: {name: odd}
spec: {containers: [{name: c, image: x, foo: bar}]}
---
apiVersion: v1
kind: Pod
metadata: {name: Wrong_Name}
spec: {containers: [{name: c, image: x}]}
---
a: : b
---
apiVersion: v1
kind: ConfigMap
metadata: {name: last}
`

const INVALID = `apiVersion: v1
kind: Pod
metadata: {name: Wrong_Name}
spec: {containers: [{name: c, image: x}, {name: c}]}
`

const LABELLED = `apiVersion: v1
kind: ConfigMap
metadata: {name: one, labels: {a: b}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two, labels: {a: c}}
`

/** From manifests. */
export const CREATING: Case = {
  name: 'creating',
  flags: ['--controllers=off'],
  files: { 'mixed.yaml': CONFIG_MAPS, 'invalid.yaml': INVALID, 'labelled.yaml': LABELLED },
  steps: [
    'create -f mixed.yaml',
    'create -f invalid.yaml',
    'create -f nofile.yaml',
    'create',
    'create foo',
    'create -f labelled.yaml --dry-run=nope',
    'create -f labelled.yaml --dry-run=client',
    'create -f labelled.yaml --dry-run=client -o yaml',
    'create -f labelled.yaml --dry-run=server',
    'create -f labelled.yaml --dry-run=server -o name',
    'create -f labelled.yaml -l a=b',
    'create -f labelled.yaml',
    'create -f labelled.yaml -o name',
    'create -f labelled.yaml -n other',
    'get configmaps',
    'create -f labelled.yaml --save-config -n kube-public -o yaml',
    'create -f invalid.yaml --validate=odd',
    'create -f mixed.yaml --validate=ignore -n kube-public',
    'create -f - <<EOF\napiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: piped-}\nEOF',
  ],
}

/** A dry run, and then the real one. */
function both(line: string): string[] {
  const [words, command] = line.split(' -- ')
  const behind = command === undefined ? '' : ` -- ${command}`
  return [
    `${words} --dry-run=client -o yaml${behind}`,
    `${words} --dry-run=client -o json${behind}`,
    line,
  ]
}

/** From arguments. */
export const GENERATING: Case = {
  name: 'generating',
  flags: ['--controllers=off'],
  files: { 'settings.properties': 'a=1\nb=2\n', 'vars.env': '# comment\nA=1\n\nB=two words\n' },
  steps: [
    ...both('create namespace shop'),
    'create cm settings --from-literal=a=b -n default',
    'create namespace',
    'create ns a b',
    'create ns shop',
    'create ns other -o name',
    'create ns third --dry-run=server',
    'create ns Bad_Name',
    ...both('create configmap settings --from-literal=color=blue --from-literal=size="3"'),
    'create configmap settings2 --from-file=settings.properties --from-file=own=settings.properties --dry-run=client -o yaml',
    'create configmap settings3 --from-env-file=vars.env --dry-run=client -o yaml',
    'create configmap hashed --from-literal=color=blue --append-hash',
    'create cm empty -n shop',
    'create cm x --from-file=missing.txt',
    'create cm x --from-literal=nokey',
    'create cm x --from-literal=a=b --from-literal=a=c',
    'create cm x --from-literal=a=b --from-env-file=vars.env',
    ...both('create secret generic keys --from-literal=password=swordfish'),
    'create secret generic typed --type=example.com/x --from-literal=a=b --dry-run=client -o yaml',
    ...both(
      'create secret docker-registry pull --docker-username=anna --docker-password=pw --docker-email=a@example.com',
    ),
    'create secret tls x --cert=missing',
    ...both('create deployment web --image=nginx'),
    'create deployment web2 --image=registry.example.com:5000/a/nginx:1.27 --replicas=3 --port=80 --dry-run=client -o yaml -- sleep 10',
    'create deployment web3 --image=a/x:1 --image=b/y --dry-run=client -o yaml',
    'create deploy web4 --image=nginx --image=busybox -- date',
    'create deployment web --image=nginx',
    'create deployment saved --image=nginx --save-config --dry-run=client -o yaml',
    ...both('create job once --image=busybox -- date'),
    'create job two',
    ...both('create cronjob tick --image=busybox --schedule="*/1 * * * *" -- date'),
    'create job manual --from=cronjob/tick --dry-run=client -o name',
    'create job manual --from=cronjob/tick',
    'create job manual2 --from=cronjob/missing',
    'create job manual3 --from=pod/x',
    ...both('create service clusterip web --tcp=80:8080 --tcp=443'),
    ...both('create service nodeport web-node --tcp=80:http --node-port=30080'),
    ...both('create service loadbalancer web-lb --tcp=80'),
    ...both('create service externalname db --external-name db.example.com'),
    'create service clusterip headless --clusterip=None',
    'create service clusterip none',
    'create svc clusterip bad --tcp=x',
    ...both('create serviceaccount robot'),
    ...both(
      'create role reader --verb=get,list --verb=watch --resource=pods,deployments.apps,pods/log',
    ),
    'create role named --verb=get --resource=pods --resource-name=a --resource-name=b --dry-run=client -o yaml',
    'create role star --verb=get,* --resource=rs --dry-run=client -o yaml',
    'create role none --verb=get',
    'create role none --resource=pods',
    'create role none --verb=get --resource=nopes',
    ...both('create clusterrole nodes --verb=get --resource=nodes'),
    'create clusterrole paths --verb=get --non-resource-url=/metrics,/healthz --dry-run=client -o yaml',
    'create clusterrole sum --aggregation-rule=a=b --dry-run=client -o yaml',
    ...both(
      'create rolebinding readers --role=reader --user=anna --group=devs --serviceaccount=default:robot',
    ),
    'create rolebinding cluster --clusterrole=view --user=anna -n shop --dry-run=client -o yaml',
    'create rolebinding none --user=anna',
    'create rolebinding none --role=a --serviceaccount=robot',
    ...both('create clusterrolebinding nodes --clusterrole=nodes --group=devs'),
    ...both('create quota small --hard=pods=5,cpu=2 --scopes=NotTerminating'),
    'create quota bad --hard=pods',
    ...both('create poddisruptionbudget least --selector=app=web --min-available=1'),
    ...both('create pdb most --selector=app=web,tier=front --max-unavailable=50%'),
    'create pdb none --min-available=1',
    'create pdb none --selector=a=b',
    'create pdb none --selector=a=b --min-available=1 --max-unavailable=1',
    ...both('create priorityclass high --value=1000 --description="goes first"'),
    'create pc default --value=0 --global-default=true --preemption-policy=Never --dry-run=client -o yaml',
    ...both(
      'create ingress web --rule="example.com/=web:80" --rule="example.com/api*=api:http,tls=secret" --class=nginx --annotation=a=b',
    ),
    'create ingress back --default-backend=web:80 --dry-run=client -o yaml',
    'create ingress tls --rule="a.example.com/*=web:80,tls" --rule="b.example.com/x=web:80,tls=own" --dry-run=client -o yaml',
    'create ingress none',
    'create cm Bad_Name',
    'create secret generic keys',
    'create quota small --hard=pods=5',
    'create sa robot',
    'create service clusterip web --tcp=80',
    'create service nodeport web --tcp=80:70000',
    'create service nodeport web --tcp=80:Bad_',
    'create role reader --verb=get --resource=pods',
    'create rolebinding readers --role=reader',
    'create clusterrolebinding nodes --clusterrole=nodes',
    'create pdb least --selector=a=b --min-available=1',
    'create pc high --value=1',
    'create ingress web --default-backend=a:1',
    'create ingress x --rule=foo',
    'create ingress x --default-backend=foo',
    'create clusterrole x --verb=get --non-resource-url=x',
    'create clusterrole x --verb=foo --non-resource-url=/x',
    'create role x --verb=foo --resource=pods',
    'create role x2 --verb=get --resource=deployments.nope',
    'create job x --from=cj',
    'create job x --from=foo/x',
    'create token robot --bound-object-uid=x',
    'create token robot --duration=1s',
    'create token robot --bound-object-name=x',
    'create token missing',
    'create token robot --bound-object-kind=Foo --bound-object-name=x',
    'run web --image=nginx --dry-run=client -o yaml',
    'run web --image=nginx --restart=Never --env=A=b --env=C=d --port=80 --labels=x=y,z=w --dry-run=client -o json -- sleep 10',
    'run web --image=busybox --command --dry-run=client -o yaml -- sleep 10',
    'run web --image=nginx --port=80 --expose',
    'run web --image=nginx',
    'run web2 --image=nginx --expose',
    'run web3 --image=nginx --restart=Foo',
    'run web4 --image=nginx --env=A',
    'run web5 --image=nginx --overrides=\'{"spec":{"nodeName":"x"}}\' --dry-run=client -o yaml',
    'run Bad_Name --image=nginx',
    'run web6 --image="b@d image"',
    'run web7 --image=nginx --annotations=a=b --image-pull-policy=Never --privileged -n shop -o name --dry-run=server',
    'expose deployment web',
    'expose deployment web --port=80 --name=web-a',
    'expose deployment web --port=80 --name=web-a',
    'expose deployment web --port=80 --target-port=http --name=web-b --type=NodePort -o yaml --dry-run=client',
    'expose pod web --name=web-c --dry-run=client -o yaml',
    'expose service web --name=web-d --dry-run=client -o yaml',
    'expose configmap settings --port=1',
    'expose deployment nope --port=1',
    'expose deployment web --port=80,81 --name=web-e --selector=a=b --labels=c=d -o yaml --dry-run=client --session-affinity=ClientIP --external-ip=1.1.1.1',
    'autoscale deployment web --max=5',
    'autoscale deployment web --max=5 --min=2 --cpu-percent=50 --name=second --dry-run=client -o yaml',
    'autoscale deployment web --max=1 --min=2',
    'autoscale configmap settings --max=2',
    'autoscale deployment web --max=5',
  ],
}
