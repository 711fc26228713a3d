/** kubectl describe for objects of all kinds. */
import { readFileSync } from 'node:fs'
import type { Case } from './case'

const described = (name: string): string =>
  readFileSync(new URL(`described-${name}.yaml`, import.meta.url), 'utf8')

const KINDS =
  'namespace resourcequota configmap serviceaccount pod priorityclass deployment statefulset daemonset replicationcontroller replicaset job cronjob service endpoints endpointslice ingress ingressclass networkpolicy persistentvolume persistentvolumeclaim storageclass csinode role clusterrole rolebinding clusterrolebinding horizontalpodautoscaler poddisruptionbudget lease certificatesigningrequest widget customresourcedefinition flowschema validatingadmissionpolicy controllerrevision'.split(
    ' ',
  )

/** Objects as created, without controllers. */
export const DESCRIBING: Case = {
  name: 'describing',
  flags: ['--controllers=off'],
  given: described('definition'),
  // Objects with many different fields, and Pods with all volume types: some exist only up to 1.30.
  files: { 'objects.yaml': described('objects'), 'pods.yaml': described('pods') },
  steps: [
    'create -f objects.yaml',
    'create -f pods.yaml --validate=ignore',
    ...KINDS.map((kind) => `describe ${kind} -n shop`),
    'describe clusterrole admin edit view system:node',
    'describe secret keys -n shop',
    'describe limitrange bounds -n shop',
    'describe',
    'describe pods nope -n shop',
    'describe pods -n default',
    'describe pod fu -n shop',
    'describe pods nope -n shop --show-events=false',
    'describe configmap/settings service/web -n shop',
    'describe storageclass -l a=b',
    'describe -f objects.yaml -l nope=1',
    'describe foos',
    'describe roles -A -l nope=1',
    'describe deployment web --show-events=false -n shop',
  ],
}

const LIVE = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: "nginx:1.25", resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 200m}}}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
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
apiVersion: v1
kind: Pod
metadata: {name: alone}
spec: {containers: [{name: c, image: busybox}]}
`

/** Objects after controllers ran, with events. */
export const DESCRIBING_LIVE: Case = {
  name: 'describing-live',
  flags: ['--nodes=1', '--scheduler=on'],
  files: { 'live.yaml': LIVE },
  steps: [
    'create -f live.yaml',
    ...['node', 'deployment', 'replicaset', 'statefulset', 'pod', 'poddisruptionbudget'].map(
      (kind) => `describe ${kind}`,
    ),
    'set image deployment/web nginx=nginx:2',
    'describe deployment web',
    'taint node node-1 a=b:NoSchedule',
    'cordon node-1',
    'label node node-1 node-role.kubernetes.io/control-plane=',
    'describe nodes',
    'logs alone',
    'logs alone -c nope',
    'logs nope',
    'logs',
    'logs alone -l a=b',
    'logs -l nope=1',
    'logs alone c -c c',
    'logs alone --tail=-5',
    'logs alone --since=1h --since-time=2020-01-01T00:00:00Z',
    'logs configmap/kube-root-ca.crt',
    'logs rs/nope',
    'exec alone',
    'exec alone ls',
    'exec',
    'exec nope -- ls',
    'edit deployment nope',
    'edit deployment web',
    'drain node-1',
    'drain node-1 --dry-run=client --force',
  ],
}
