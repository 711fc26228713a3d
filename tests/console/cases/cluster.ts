/** kubectl explain, wait, and commands about the server. */
import type { Case } from './case'

const GIVEN = `apiVersion: v1
kind: ServiceAccount
metadata: {name: default}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - {name: web, image: "nginx:1.27"}
---
apiVersion: v1
kind: Event
metadata: {name: web.1}
involvedObject: {kind: Pod, apiVersion: v1, name: web, namespace: default}
type: Normal
reason: Pulled
message: "Container image is there "
source: {component: kubelet}
---
apiVersion: v1
kind: Event
metadata: {name: web.2}
involvedObject: {kind: Pod, apiVersion: v1, name: web, namespace: default}
type: Warning
reason: BackOff
message: back-off
source: {component: kubelet}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab, shortNames: [ct], categories: [all, jobs]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Schedule, type: string, jsonPath: .spec.schedule}
    - {name: Runs, type: integer, jsonPath: .spec.runs, priority: 1}
    schema:
      openAPIV3Schema:
        type: object
        description: Runs something at times.
        properties:
          spec:
            type: object
            required: [schedule]
            description: What to run, and when. This text is long enough to be broken into lines, because it goes on and on until the line is full.
            properties:
              schedule: {type: string, description: As cron has it.}
              policy: {type: string, enum: ["", Allow, Forbid, Replace, Never], description: What if it still runs.}
              runs: {type: integer}
              labels: {type: object, additionalProperties: {type: string}}
              steps: {type: array, items: {type: object, properties: {run: {type: string}}}}
`

const CRON = `apiVersion: example.org/v1
kind: CronTab
metadata: {name: nightly}
spec: {schedule: "0 0 * * *", runs: 3}
`

export const CLUSTER: Case = {
  name: 'cluster',
  independent: true,
  flags: ['--controllers=off'],
  given: GIVEN,
  files: { 'cron.yaml': CRON },
  steps: [
    'api-versions',
    'cluster-info',
    'config current-context',
    'config get-contexts',
    'config get-contexts -o name',
    'config get-contexts nobody',
    'config view',
    'config use-context nobody',
    'config foo',
    'api-resources --api-group=example.org',
    'get ct',
    'get crontabs.example.org -A',
    'get ct nothing',
    'explain ct',
    'explain crontabs.example.org.spec',
    'explain ct.spec.policy',
    'explain ct.spec.labels',
    'explain ct.spec.steps.run',
    'explain ct --recursive',
    'explain pods',
    'explain pod.spec.containers',
    'explain pods.spec.containers.resources.limits',
    'explain pods.spec.restartPolicy',
    'explain pods.metadata.labels',
    'explain deployment.spec.strategy --recursive',
    'explain deployments.apps.spec.replicas',
    'explain ingress.spec.rules --recursive',
    'explain crd.spec.versions.schema.openAPIV3Schema.properties',
    'explain secret.data',
    'explain svc.spec.ports.targetPort',
    'explain quota.spec.hard',
    'explain hpa --api-version=autoscaling/v1',
    'explain hpa.spec --api-version=autoscaling/v2',
    'explain deployment --api-version=apps/v7',
    'explain pods.nothing',
    'explain pods.spec.nothing.more',
    'explain nothing',
    'explain pods nodes',
    'explain',
    'events',
    'events --types=Warning',
    'events --types=warning,normal --no-headers',
    'events --types=bad',
    'events --for pod/web',
    'events --for pod/other',
    'events --for pod',
    'events --for pod/web/x',
    'events -A',
    'events -n kube-public',
    'get events',
    'get events --field-selector type=Warning -o name',
    "wait pod/web --for=jsonpath='{.status.phase}'=Pending",
    "wait pod/web --for=jsonpath='{.metadata.name}'",
    "wait pods --all --for=jsonpath='{.status.phase}'=Pending -o name",
    "wait pod/web --for=jsonpath='{.status.phase}'=Running --timeout=200ms",
    "wait pod/web --for=jsonpath='{.spec}'=x",
    "wait pod/web --for=jsonpath='{.status.phase}'=",
    'wait pod/web --for=jsonpath=',
    'wait pod/web --for=condition=Ready --timeout=200ms',
    'wait pod/web --for=condition=Ready --timeout=0',
    'wait pod/web --for=condition=Ready=false --timeout=200ms',
    'wait pod/web pod/other --for=condition=Ready --timeout=200ms',
    'wait pod/other --for=delete',
    'wait pod/web --for=delete --timeout=200ms',
    'wait pod/web --for=delete --timeout=0',
    'wait pod/web --for=create',
    'wait pod/other --for=create --timeout=200ms',
    'wait crd/crontabs.example.org --for=condition=Established',
    'wait pods -l app=none --for=condition=Ready',
    'wait pods --for=condition=Ready',
    'wait pod/web --for=nonsense',
    'wait pod/web',
    'wait',
    'wait pod/web --for=delete --timeout=x',
    'wait pod/web --for=delete --timeout=5',
  ],
}
