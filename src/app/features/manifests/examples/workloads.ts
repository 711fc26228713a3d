/** Examples of pods and workload resources. */
export const WORKLOADS: Record<string, string> = {
  'v1 Pod': `# One or more containers that run together on one node. Usually a controller creates it.
apiVersion: v1
kind: Pod
metadata:
  name: hello
  namespace: default
  labels:
    app: hello
spec:
  containers:
    - name: web
      image: nginx:1.27
      ports:
        - containerPort: 80
      resources:
        requests:
          cpu: 50m
          memory: 64Mi
`,
  'apps/v1 Deployment': `# Runs replicas of a pod, and rolls out changes of the template step by step.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: default
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: web
          image: nginx:1.27
          readinessProbe:
            httpGet:
              path: /
              port: 80
`,
  'apps/v1 ReplicaSet': `# Runs replicas of a pod. A Deployment creates one for each version of its template.
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: shop-by-hand
  namespace: default
spec:
  replicas: 2
  selector:
    matchLabels:
      app: shop-by-hand
  template:
    metadata:
      labels:
        app: shop-by-hand
    spec:
      containers:
        - name: web
          image: nginx:1.27
`,
  'apps/v1 StatefulSet': `# Pods with names and volumes of their own: db-0, db-1 …
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
  namespace: default
spec:
  serviceName: db
  replicas: 2
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
        - name: postgres
          image: postgres:16
          volumeMounts:
            - name: data
              mountPath: /var/lib/postgresql/data
  volumeClaimTemplates:
    - metadata:
        name: data
      spec:
        accessModes: [ReadWriteOnce]
        resources:
          requests:
            storage: 1Gi
`,
  'apps/v1 DaemonSet': `# One pod on each node: for logs, networks, storage.
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: log-collector
  namespace: default
spec:
  selector:
    matchLabels:
      app: log-collector
  template:
    metadata:
      labels:
        app: log-collector
    spec:
      containers:
        - name: collector
          image: fluent/fluent-bit:3.1
`,
  'apps/v1 ControllerRevision': `# A revision that a StatefulSet or a DaemonSet can roll back to. Their controllers create it.
apiVersion: apps/v1
kind: ControllerRevision
metadata:
  name: db-first
  namespace: default
revision: 1
data:
  note: any object is allowed here
`,
  'v1 ReplicationController': `# The forerunner of the ReplicaSet. Use a Deployment instead.
apiVersion: v1
kind: ReplicationController
metadata:
  name: old-shop
  namespace: default
spec:
  replicas: 1
  selector:
    app: old-shop
  template:
    metadata:
      labels:
        app: old-shop
    spec:
      containers:
        - name: web
          image: nginx:1.27
`,
  'v1 PodTemplate': `# A stored template of a pod.
apiVersion: v1
kind: PodTemplate
metadata:
  name: small-web
  namespace: default
template:
  metadata:
    labels:
      app: small-web
  spec:
    containers:
      - name: web
        image: nginx:1.27
`,
  'batch/v1 Job': `# Runs pods until enough of them have succeeded.
apiVersion: batch/v1
kind: Job
metadata:
  name: count-stock
  namespace: default
spec:
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: count
          image: busybox:1.36
          command: [sh, -c, "echo counted"]
`,
  'batch/v1 CronJob': `# Creates a Job on a schedule: here every night at two.
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly-report
  namespace: default
spec:
  schedule: "0 2 * * *"
  concurrencyPolicy: Forbid
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers:
            - name: report
              image: busybox:1.36
              command: [sh, -c, "echo reported"]
`,
  'autoscaling/v2 HorizontalPodAutoscaler': `# Sets the replicas of a workload by what its pods use.
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: shop
  namespace: default
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: shop
  minReplicas: 2
  maxReplicas: 6
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
`,
  'autoscaling/v1 HorizontalPodAutoscaler': `# The older version: by the use of processors alone.
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: shop-by-cpu
  namespace: default
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: shop
  minReplicas: 2
  maxReplicas: 6
  targetCPUUtilizationPercentage: 70
`,
  'policy/v1 PodDisruptionBudget': `# How many pods can be evicted at once, when nodes are drained.
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
  namespace: default
spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: shop
`,
  'v1 Binding': `# Assigns a pod to a node, as the scheduler does. Create it; it cannot be applied.
apiVersion: v1
kind: Binding
metadata:
  name: hello
  namespace: default
target:
  apiVersion: v1
  kind: Node
  name: node-1
`,
}
