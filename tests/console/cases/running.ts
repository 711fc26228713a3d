/**
 * Rollouts, nodes, permissions and certificates: commands that need controllers or support specific
 * kinds.
 */
import type { Case } from './case'

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {kubernetes.io/change-cause: first}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: "nginx:1.25", ports: [{containerPort: 80}]}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 1
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "postgres:16"}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
`

export const ROLLING: Case = {
  name: 'rolling',
  flags: [],
  files: { 'web.yaml': WEB },
  steps: [
    'create -f web.yaml',
    'rollout status deployment/web --watch=false',
    'rollout status statefulset/db --watch=false',
    'rollout status daemonset/agent --watch=false',
    'set image deployment/web nginx=nginx:1.26',
    'set image statefulset/db db=postgres:17',
    'set image daemonset/agent agent=agent:2',
    'rollout history deployment/web',
    'rollout history deployment/web --revision=2',
    'rollout history deployment/web --revision=9',
    'rollout history statefulset/db',
    'rollout history statefulset/db --revision=1',
    'rollout history daemonset/agent',
    'rollout history deployment/web -o name',
    'rollout undo deployment/web --dry-run=client',
    'rollout undo deployment/web --dry-run=server',
    'rollout undo deployment/web',
    'rollout undo deployment/web --to-revision=9',
    'rollout undo deployment/web --to-revision=3',
    'rollout undo statefulset/db',
    'rollout undo daemonset/agent --to-revision=1',
    'rollout history daemonset/agent',
    'rollout pause deployment/web',
    'rollout pause deployment/web',
    'rollout undo deployment/web',
    'rollout restart deployment/web',
    'rollout resume deployment/web',
    'rollout resume deployment/web',
    'rollout restart deployment',
    'rollout restart statefulset/db daemonset/agent -o name',
    'rollout pause statefulset/db',
    'rollout status deployment/nope',
    'create configmap settings',
    'rollout status configmap/settings',
    'rollout history configmap/settings',
    'rollout undo configmap/settings',
    'rollout restart configmap/settings',
  ],
}

export const NODES: Case = {
  name: 'nodes',
  flags: ['--nodes=2'],
  files: { 'web.yaml': WEB },
  steps: [
    'cordon node-1',
    'cordon node-1',
    'uncordon node-1',
    'uncordon node-1 --dry-run=client',
    'cordon',
    'cordon nope',
    'cordon -l a=b',
    'cordon node-1 --dry-run=server',
    'taint node node-1 a=b:NoSchedule',
    'taint node node-1 a=b:NoSchedule',
    'taint node node-1 a=c:NoSchedule',
    'taint node node-1 a=c:NoSchedule --overwrite',
    'taint node node-1 a:NoSchedule-',
    'taint node node-1 a-',
    'taint node node-1 a=b:Foo',
    'taint node node-1',
    'taint pod p a=b:NoSchedule',
    'taint nodes --all x:NoExecute --dry-run=client',
    'taint nodes nope x:NoExecute',
    'taint node node-1 x=1:NoSchedule y=2:PreferNoSchedule',
    'get node node-1 -o jsonpath={.spec.taints}',
    'taint node node-1 x-',
    'taint node node-1 y:PreferNoSchedule- z=1:NoSchedule',
    'drain node-2',
    'drain node-1 --dry-run=client',
    'drain nope',
    'drain',
    'certificate approve nope',
    'certificate approve',
    'top pods',
    'top nodes',
    'top pod nope',
  ],
}

const RIGHTS_FILE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: default}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: User, name: anna, apiGroup: rbac.authorization.k8s.io}
`

export const RIGHTS: Case = {
  name: 'rights',
  flags: [],
  files: {
    'rights.yaml': RIGHTS_FILE,
    'more.yaml': RIGHTS_FILE.replace('[get]', '[get, list]').replace('anna', 'bob'),
    'other-role.yaml': RIGHTS_FILE.replace('kind: Role, name: reader', 'kind: Role, name: writer'),
    'kept.yaml': RIGHTS_FILE.replace(
      '{name: reader,',
      '{name: reader, labels: {a: b}, annotations: {c: d},',
    ),
    'opted-out.yaml': RIGHTS_FILE.replace(
      '{name: reader,',
      '{name: reader, annotations: {rbac.authorization.kubernetes.io/autoupdate: "false"},',
    ),
    'gathering.yaml': `${RIGHTS_FILE.split('---')[0]?.replace('kind: Role', 'kind: ClusterRole')}aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\n`,
    'nowhere.yaml': RIGHTS_FILE.replaceAll('namespace: default', 'namespace: nowhere'),
    'settings.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n',
  },
  steps: [
    'auth can-i get pods',
    'auth can-i get pods --as=x',
    'auth can-i get pods -q --as=x',
    'auth can-i get',
    'auth can-i --list --as=x',
    'auth can-i get foos --as=x',
    'auth can-i get nodes --as=x',
    'auth can-i get nodes -A --as=x',
    'auth can-i get pods/log -A',
    'auth can-i get /metrics --as=x',
    'auth can-i get /healthz --as=x',
    'auth can-i get deployment/web',
    "auth can-i '*' '*'",
    'auth can-i foo pods',
    'auth can-i get pods --subresource=log',
    'auth can-i use podsecuritypolicies',
    'auth can-i --list get',
    'auth whoami',
    'auth whoami --as=x --as-group=g',
    'auth whoami -o yaml',
    'auth whoami -o jsonpath={.status.userInfo.username}',
    'auth reconcile',
    'auth reconcile -f settings.yaml',
    'auth reconcile -f rights.yaml --dry-run=client',
    'auth reconcile -f rights.yaml',
    'auth reconcile -f rights.yaml',
    'auth reconcile -f more.yaml',
    'auth reconcile -f rights.yaml --remove-extra-permissions --remove-extra-subjects',
    'auth reconcile -f other-role.yaml',
    'auth reconcile -f rights.yaml -o name',
    'auth reconcile -f kept.yaml',
    'auth reconcile -f kept.yaml -o yaml',
    'auth reconcile -f opted-out.yaml',
    'auth reconcile -f more.yaml',
    'auth reconcile -f gathering.yaml',
    'auth reconcile -f gathering.yaml',
    'auth reconcile -f nowhere.yaml',
    'get namespace nowhere -o name',
    'auth can-i --list --as=anna',
    'auth can-i --list --as=anna --no-headers',
  ],
}
