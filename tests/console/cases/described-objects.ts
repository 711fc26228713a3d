/** Objects with many different fields for kubectl describe. */

export const DESCRIBED = `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: a}, annotations: {owner: me}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: rq, namespace: shop}
spec: {hard: {pods: "30", cpu: "10", requests.memory: 10Gi, limits.memory: 20Gi}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: rqs, namespace: shop}
spec: {hard: {pods: "40"}, scopes: [NotTerminating, BestEffort]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: bounds, namespace: shop}
spec:
  limits:
  - type: Container
    default: {cpu: 100m, memory: 128Mi}
    defaultRequest: {cpu: 50m, memory: 64Mi}
    max: {cpu: "2"}
    min: {cpu: 1m}
  - type: Pod
    max: {cpu: "4"}
    maxLimitRequestRatio: {cpu: "10"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop, labels: {a: b}}
data: {b: "line1\\nline2\\n"}
binaryData: {bin: AAECAw==}
immutable: false
---
apiVersion: v1
kind: Secret
metadata: {name: keys, namespace: shop, annotations: {x: "yy"}}
stringData: {b: "line1\\nline2\\n"}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: shop}
imagePullSecrets: [{name: pull}]
secrets: [{name: keys}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
description: "for the important"
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {a: b}}
    spec:
      serviceAccountName: robot
      containers:
      - {name: nginx, image: "nginx:1.25", ports: [{containerPort: 80}], resources: {requests: {cpu: 10m}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  replicas: 2
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: pg, image: "postgres:16", volumeMounts: [{name: data, mountPath: /d}]}]
  volumeClaimTemplates:
  - metadata: {name: data, labels: {x: "yy"}}
    spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, namespace: shop}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: "agent:1"}]
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc, namespace: shop}
spec:
  replicas: 1
  selector: {app: rc}
  template:
    metadata: {labels: {app: rc}}
    spec:
      containers: [{name: c, image: "c:1"}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: shop}
spec:
  completions: 2
  parallelism: 1
  activeDeadlineSeconds: 600
  ttlSecondsAfterFinished: 3600
  completionMode: Indexed
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: busybox, command: [sh, -c, "exit 0"]}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron, namespace: shop}
spec:
  schedule: "*/5 * * * *"
  timeZone: Etc/UTC
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: c, image: busybox}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  type: NodePort
  ports: [{name: http, port: 80, targetPort: 80}, {name: alt, port: 81, targetPort: http}]
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}], sessionAffinity: ClientIP}
---
apiVersion: v1
kind: Service
metadata: {name: ext, namespace: shop}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: v1
kind: Service
metadata: {name: lb, namespace: shop}
spec: {type: LoadBalancer, externalIPs: [1.2.3.4], loadBalancerSourceRanges: [10.0.0.0/8], externalTrafficPolicy: Local, ports: [{port: 80}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing, namespace: shop, annotations: {a: b}}
spec:
  ingressClassName: nginx
  defaultBackend: {service: {name: web, port: {number: 80}}}
  tls: [{hosts: [a.example.com, b.example.com], secretName: tls}, {hosts: [c]}]
  rules:
  - host: a.example.com
    http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: web, port: {name: http}}}}
      - {path: /x, pathType: Exact, backend: {service: {name: missing, port: {number: 80}}}}
      - {path: /r, pathType: Exact, backend: {resource: {apiGroup: k8s.example.com, kind: Bucket, name: b}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing2, namespace: shop}
spec:
  defaultBackend: {service: {name: web, port: {number: 80}}}
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx, annotations: {ingressclass.kubernetes.io/is-default-class: "true"}}
spec: {controller: example.com/nginx, parameters: {apiGroup: k8s.example.com, kind: P, name: x, scope: Cluster}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress, Egress]
  ingress:
  - from:
    - {podSelector: {matchLabels: {a: b}}}
    - {namespaceSelector: {matchLabels: {nn: s}}, podSelector: {matchExpressions: [{key: k, operator: In, values: [x, z]}]}}
    - {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}
    ports: [{port: 80}, {port: dns, protocol: UDP}, {port: 100, endPort: 200}]
  - {}
  egress:
  - to: [{namespaceSelector: {}}]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np-none, namespace: shop}
spec:
  podSelector: {}
  policyTypes: [Ingress]
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv1, labels: {a: b}}
spec:
  capacity: {storage: 5Gi}
  accessModes: [ReadWriteOnce, ReadOnlyMany]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: slow
  hostPath: {path: /data}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n1, n2]}, {key: z, operator: Exists}]}]}}
  claimRef: {namespace: shop, name: x}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv2}
spec:
  capacity: {storage: 5Gi}
  accessModes: [ReadWriteMany]
  csi: {driver: d.example.com, volumeHandle: h, fsType: xfs, volumeAttributes: {k: v}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: shop}
spec: {accessModes: [ReadWriteOnce], storageClassName: slow, resources: {requests: {storage: 1Gi}}, dataSource: {apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: d.example.com
parameters: {a: b, c: d}
allowVolumeExpansion: true
mountOptions: [debug]
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: zone, values: [a, b]}]}]
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: slow}
provisioner: d.example.com
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: node-0}
spec: {drivers: [{name: d.example.com, nodeID: nn, topologyKeys: [zone, region], allocatable: {count: 3}}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r, namespace: shop}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [get, list]}
- {apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: cr, labels: {a: b}}
rules:
- {nonResourceURLs: [/metrics, /healthz], verbs: [get]}
- {apiGroups: [""], resources: [pods], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: r}
subjects:
- {kind: User, name: alice, apiGroup: rbac.authorization.k8s.io}
- {kind: ServiceAccount, name: robot, namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cr}
subjects: [{kind: Group, name: devs, apiGroup: rbac.authorization.k8s.io}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 2
  maxReplicas: 5
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}
  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 100Mi}}}
  - {type: Pods, pods: {metric: {name: rps}, target: {type: AverageValue, averageValue: 1k}}}
  - {type: Object, object: {metric: {name: hits}, describedObject: {kind: Ingress, name: ing, apiVersion: networking.k8s.io/v1}, target: {type: Value, value: 10k}}}
  - {type: External, external: {metric: {name: q, selector: {matchLabels: {a: b}}}, target: {type: AverageValue, averageValue: "30"}}}
  behavior:
    scaleDown: {stabilizationWindowSeconds: 300, policies: [{type: Pods, value: 1, periodSeconds: 60}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb2, namespace: shop}
spec: {maxUnavailable: 25%, selector: {matchExpressions: [{key: app, operator: NotIn, values: [a, b]}]}}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease, namespace: shop}
spec: {holderIdentity: me, leaseDurationSeconds: 15}
---
apiVersion: v1
kind: Endpoints
metadata: {name: eps, namespace: shop}
subsets:
- addresses: [{ip: 10.1.1.1, targetRef: {kind: Pod, name: full, namespace: shop}}, {ip: 10.1.1.2}]
  notReadyAddresses: [{ip: 10.1.1.3}]
  ports: [{name: http, port: 80}, {name: dns, port: 53, protocol: UDP}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: slice, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints:
- {addresses: [10.1.1.1, 10.1.1.9], hostname: h, zone: z, nodeName: node-0, conditions: {ready: true}, targetRef: {kind: Pod, name: full}}
- {addresses: [10.1.1.2]}
ports: [{name: http, port: 80, protocol: TCP}, {port: 53, protocol: UDP}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: vap}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]}
  validations: [{expression: "object.spec.replicas <= 50", message: too many}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tpl, namespace: shop}
spec:
  replicas: 0
  selector: {matchLabels: {app: tpl}}
  template:
    metadata: {labels: {app: tpl, zed: y1}}
    spec:
      priorityClassName: high
      nodeSelector: {a: b, c: d}
      tolerations: [{key: a, operator: Exists}, {key: b, value: c, effect: NoSchedule}]
      topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]
      initContainers: [{name: i, image: ii}]
      containers:
      - name: a
        image: x
        env: [{name: F, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: R, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]
        volumeMounts: [{name: e, mountPath: /x}]
      volumes: [{name: e, emptyDir: {sizeLimit: 0}}, {name: h, hostPath: {path: /z}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: od, namespace: shop}
spec:
  serviceName: db
  replicas: 0
  updateStrategy: {type: OnDelete}
  selector: {matchExpressions: [{key: app, operator: In, values: [od, ox]}]}
  template:
    metadata: {labels: {app: od}}
    spec: {containers: [{name: pg, image: "postgres:16"}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron2, namespace: shop}
spec:
  schedule: "0 0 1 1 *"
  suspend: true
  startingDeadlineSeconds: 30
  jobTemplate:
    spec:
      parallelism: 2
      completions: 3
      activeDeadlineSeconds: 5
      template: {spec: {restartPolicy: OnFailure, containers: [{name: c, image: busybox}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: never, namespace: shop}
spec:
  suspend: true
  template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing3, namespace: shop}
spec:
  rules:
  - {host: nohttp.example.com}
  - http: {paths: [{path: /x, pathType: Prefix, backend: {service: {name: web, port: {number: 9999}}}}, {pathType: ImplementationSpecific, backend: {service: {name: ext, port: {number: 9}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing4, namespace: shop}
spec:
  defaultBackend: {resource: {apiGroup: k8s.example.com, kind: Bucket, name: b}}
  rules: [{host: x}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa2, namespace: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: none}
  maxReplicas: 5
  metrics:
  - {type: ContainerResource, containerResource: {name: cpu, container: c, target: {type: Utilization, averageUtilization: 50}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: c, target: {type: AverageValue, averageValue: 50m}}}
  - {type: External, external: {metric: {name: q}, target: {type: Value, value: "30"}}}
  - {type: Object, object: {metric: {name: hits}, describedObject: {kind: Ingress, name: ing, apiVersion: networking.k8s.io/v1}, target: {type: AverageValue, averageValue: 10k}}}
  behavior: {scaleUp: {selectPolicy: Disabled}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb3, namespace: shop}
spec: {minAvailable: 1, selector: {}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv3}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOncePod], local: {path: /x}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}, {matchExpressions: [{key: a, operator: DoesNotExist}]}]}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv4}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], cephfs: {monitors: [a], secretRef: {name: a, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv5}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], rbd: {monitors: [a], image: i, secretRef: {name: a, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv6}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], csi: {driver: d, volumeHandle: h, volumeAttributes: {a: b, c: d}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv7}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], azureFile: {secretName: a, shareName: b, secretNamespace: c}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv8}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], iscsi: {targetPortal: "1.1.1.1:3260", iqn: "iqn.2001-04.com.example:storage.disk1", lun: 1, secretRef: {name: sr, namespace: x}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv9}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], flexVolume: {driver: "k8s/d", secretRef: {name: a, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv10}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], storageos: {volumeName: a, secretRef: {name: a, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv11}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], scaleIO: {gateway: g, system: s, volumeName: vn, secretRef: {name: sr, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv12}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], cinder: {volumeID: g, secretRef: {name: sr, namespace: b}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv13}
spec: {capacity: {storage: 5Gi}, accessModes: [ReadWriteOnce], glusterfs: {endpoints: a, path: b, endpointsNamespace: c}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: r2, namespace: shop}
rules:
- {apiGroups: ["", apps], resources: [pods, pods/log], verbs: [get, list], resourceNames: [a, b]}
- {apiGroups: [""], resources: [pods], verbs: [get, watch]}
- {apiGroups: [""], resources: [pods], verbs: [get]}
- {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb2, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}
---
apiVersion: v1
kind: Service
metadata: {name: lb2, namespace: shop}
spec: {type: LoadBalancer, loadBalancerIP: 9.9.9.9, selector: {a: b, c: d}, ports: [{port: 80, appProtocol: http}], trafficDistribution: PreferClose}
---
apiVersion: v1
kind: Service
metadata: {name: dual, namespace: shop}
spec: {ipFamilyPolicy: PreferDualStack, ports: [{name: a, port: 80}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: bound, namespace: shop}
spec: {accessModes: [ReadWriteMany], storageClassName: "", volumeName: pv2, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: empty, namespace: shop}
---
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: {name: csr2, labels: {a: b, c: d}}
spec: {request: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQzZUQ0NBZEVDQVFBd1d6RUxNQWtHQTFVRUJoTUNSRVV4Q3pBSkJnTlZCQWdNQWtKWk1Rb3dDQVlEVlFRSApEQUZOTVFzd0NRWURWUVFLREFKdk1URUxNQWtHQTFVRUNnd0Niekl4Q3pBSkJnTlZCQXNNQW05MU1Rd3dDZ1lEClZRUUREQU5pYjJJd2dnRWlNQTBHQ1NxR1NJYjNEUUVCQVFVQUE0SUJEd0F3Z2dFS0FvSUJBUUNzVGVrZ1BWSEIKaksvQXMxcGcvYW5BOU1DQlh2UWZkVWtyaTh6NjU0NFkyR2lBVDdtWjRGM25udWxMcUhGb3B6VVBFdk1KMWZ1OAo2NTNoc3FBZzRURjhNSnhuWE5rbHh4RkNtbUsrNmt1a0V2NGt4Z04wZWMzR1dvMlBxWXZDUFRUUlF4SmhONlpwCisvdHd1V3llZW1UNDk4alo1OVJKMTlQU3J3b3dZUVJDeER4OFllNTRRZUI5RE1Ia1B0V3FHOTN4VDZhY2IwSEYKZGlvNStMNjZJdFIxckFVZnY1SWQ5Nks1dUQ5QmpIbnduSjAyZXU5RnZlNndXUHFkR3FhR2dFTWZicnY1UVJMNwpDQUFUTUdxZ1FVclM4aU1NS0Fmc0dmV3dYRDMzQlVZVFhrTzdvSm40djdmKzg1UjhOKzd0a2lrS2N3MWNuYlR5CjUxMTRZMzg5QVpHaEFnTUJBQUdnU1RCSEJna3Foa2lHOXcwQkNRNHhPakE0TURZR0ExVWRFUVF2TUMyQ0RXRXUKWlhoaGJYQnNaUzVqYjIyQ0FXS0hCQUVDQXdTQkJYaEFlUzU2aGd4emNHbG1abVU2THk5aEwySXdEUVlKS29aSQpodmNOQVFFTEJRQURnZ0VCQUczczIwRlpLWUZDbVptKy9Pc2greEtKNlBRTVBUNE9WbHZ4L3pFdEJhamR0b2l2Cm94c3ozNFRzeG92SzA0dTdsaGFVd3pvbUMzR3BGNm5vNWFiRHhGVmlOSEUwVUJibTBxaWtnMU1UU2ZzSTNpNHAKdmtlR3JrdnArUjFzWjVxNWhBNWxLRDRTOEgvT0w0K3RBNnVHdEhmZ25OMGpBUGR0UWFtUU1aNlprRk5pYkRoLwpuYmhkNlZlMHozRG8ydS9rSXVmcVNaSkZrditndFhsVyt2Q0k1NVY4WXBGQjJBVUlUQ0RMbmlRQ29ycXg0SXR2CjZYMzBMYmFRMkkxUGY2L1F3aDJuM3hoT0t1MFo5ZENmeW1YZ0wydUd3UGhvTld1ZkNDQ1k5Ui9QRHZMdzJSVWcKVkIwMVM4WXBLajd4MkhPQUR3MzN1Mk1EZUFpVUtkVGVQbTAweE1zPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K, signerName: example.com/x, usages: [client auth]}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: shop, labels: {a: b}, annotations: {x: "line"}}
spec:
  size: 3
  ratio: 0.5
  enabled: true
  httpURLPath: /x
  apiVersion: q
  emptyList: []
  emptyMap: {}
  nothing: null
  text: "multi\\nline"
  items: [a, b, 3]
  nested: [{name: x, deep: {k: v}}, {name: y, list: [[1,2],[3]]}]
status: {phase: Ok, someIPs: [1.1.1.1]}
`

/** Pods with all volume types. Some types exist only up to release 1.30. */
export const DESCRIBED_PODS = `apiVersion: v1
kind: Pod
metadata:
  name: full
  namespace: shop
  labels: {app: full, zeta: "1"}
  annotations: {note: "hello world", multi: "line1\\nline2"}
spec:
  serviceAccountName: robot
  priorityClassName: high
  nodeSelector: {kubernetes.io/os: linux}
  tolerations:
  - {key: a, operator: Exists, effect: NoSchedule}
  - {key: b, operator: Equal, value: v}
  - {operator: Exists, effect: NoExecute, tolerationSeconds: 5}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchLabels: {app: full}}}
  readinessGates: [{conditionType: "example.com/ready"}]
  initContainers:
  - {name: init, image: busybox, command: [sh, -c, "echo hi"]}
  containers:
  - name: main
    image: nginx:1.25
    command: ["/bin/sh"]
    args: ["-c", "sleep 1000\\nline two"]
    ports: [{name: http, containerPort: 80}, {containerPort: 53, protocol: UDP, hostPort: 5353}]
    env:
    - {name: A, value: b}
    - {name: MULTI, value: "x\\ny"}
    - {name: F, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: R, valueFrom: {resourceFieldRef: {containerName: main, resource: limits.cpu}}}
    - {name: R2, valueFrom: {resourceFieldRef: {resource: requests.memory, divisor: 1Mi}}}
    - {name: S, valueFrom: {secretKeyRef: {name: keys, key: a}}}
    - {name: C, valueFrom: {configMapKeyRef: {name: settings, key: a, optional: true}}}
    envFrom:
    - {configMapRef: {name: settings}}
    - {prefix: P_, secretRef: {name: keys, optional: true}}
    resources: {limits: {cpu: "1", memory: 1Gi}, requests: {cpu: 500m, memory: 512Mi}}
    livenessProbe: {httpGet: {path: /healthz, port: 80}, initialDelaySeconds: 3}
    readinessProbe: {tcpSocket: {port: http}, timeoutSeconds: 2}
    startupProbe: {exec: {command: [cat, /tmp/x]}}
    volumeMounts:
    - {name: conf, mountPath: /conf, readOnly: true}
    - {name: empty, mountPath: /e, subPath: sub}
    - {name: aempty, mountPath: /a}
  - name: side
    image: busybox
    livenessProbe: {grpc: {port: 9000, service: x}}
    securityContext: {privileged: true}
    lifecycle: {postStart: {exec: {command: [a]}}}
  volumes:
  - {name: conf, configMap: {name: settings, optional: true}}
  - {name: keys, secret: {secretName: keys}}
  - {name: empty, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  - {name: aempty, emptyDir: {}}
  - {name: host, hostPath: {path: /var, type: Directory}}
  - {name: pvc, persistentVolumeClaim: {claimName: data, readOnly: true}}
  - {name: nfs, nfs: {server: s, path: /p}}
  - {name: proj, projected: {sources: [{secret: {name: keys}}, {configMap: {name: settings}}, {downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}, {serviceAccountToken: {path: t, expirationSeconds: 600}}]}}
  - {name: down, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}
  - {name: csi, csi: {driver: d.example.com, fsType: ext4, readOnly: true, volumeAttributes: {a: b}}}
  - {name: eph, ephemeral: {volumeClaimTemplate: {metadata: {labels: {l: v}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain, namespace: shop, labels: {app: plain}}
spec:
  containers: [{name: c, image: nginx}]
---
apiVersion: v1
kind: Pod
metadata:
  name: many
  namespace: shop
  labels: {app: many, "x.y/z": q}
  annotations: {plain: pv, "long.example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", trail: "a\\n"}
spec:
  securityContext: {seccompProfile: {type: Localhost, localhostProfile: p.json}}
  tolerations: [{key: z, operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 3}, {operator: Exists}]
  topologySpreadConstraints:
  - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
  - {maxSkew: 1, topologyKey: host, whenUnsatisfiable: ScheduleAnyway, labelSelector: {matchExpressions: [{key: app, operator: In, values: [b, a]}]}}
  containers:
  - name: main
    image: nginx
    securityContext: {seccompProfile: {type: Localhost, localhostProfile: q.json}}
    livenessProbe: {httpGet: {path: "/a b?x=%41&y", port: web, host: "1.2.3.4", scheme: HTTPS}}
    readinessProbe: {httpGet: {path: "noslash", port: 80}}
    startupProbe: {grpc: {port: 90}}
    env:
    - {name: L, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
    - {name: LS, valueFrom: {fieldRef: {fieldPath: "metadata.labels['x.y/z']"}}}
    - {name: AN, valueFrom: {fieldRef: {fieldPath: "metadata.annotations['plain']"}}}
    - {name: UID, valueFrom: {fieldRef: {fieldPath: "metadata.uid"}}}
    - {name: NODE, valueFrom: {fieldRef: {fieldPath: "spec.nodeName"}}}
    - {name: IP, valueFrom: {fieldRef: {fieldPath: "status.podIP"}}}
    - {name: LIMC, valueFrom: {resourceFieldRef: {resource: limits.memory}}}
    - {name: LIME, valueFrom: {resourceFieldRef: {resource: limits.ephemeral-storage}}}
    - {name: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQzZUQ0NBZEVDQVFBd1d6RUxNQWtHQTFVRUJoTUNSRVV4Q3pBSkJnTlZCQWdNQWtKWk1Rb3dDQVlEVlFRSApEQUZOTVFzd0NRWURWUVFLREFKdk1URUxNQWtHQTFVRUNnd0Niekl4Q3pBSkJnTlZCQXNNQW05MU1Rd3dDZ1lEClZRUUREQU5pYjJJd2dnRWlNQTBHQ1NxR1NJYjNEUUVCQVFVQUE0SUJEd0F3Z2dFS0FvSUJBUUNzVGVrZ1BWSEIKaksvQXMxcGcvYW5BOU1DQlh2UWZkVWtyaTh6NjU0NFkyR2lBVDdtWjRGM25udWxMcUhGb3B6VVBFdk1KMWZ1OAo2NTNoc3FBZzRURjhNSnhuWE5rbHh4RkNtbUsrNmt1a0V2NGt4Z04wZWMzR1dvMlBxWXZDUFRUUlF4SmhONlpwCisvdHd1V3llZW1UNDk4alo1OVJKMTlQU3J3b3dZUVJDeER4OFllNTRRZUI5RE1Ia1B0V3FHOTN4VDZhY2IwSEYKZGlvNStMNjZJdFIxckFVZnY1SWQ5Nks1dUQ5QmpIbnduSjAyZXU5RnZlNndXUHFkR3FhR2dFTWZicnY1UVJMNwpDQUFUTUdxZ1FVclM4aU1NS0Fmc0dmV3dYRDMzQlVZVFhrTzdvSm40djdmKzg1UjhOKzd0a2lrS2N3MWNuYlR5CjUxMTRZMzg5QVpHaEFnTUJBQUdnU1RCSEJna3Foa2lHOXcwQkNRNHhPakE0TURZR0ExVWRFUVF2TUMyQ0RXRXUKWlhoaGJYQnNaUzVqYjIyQ0FXS0hCQUVDQXdTQkJYaEFlUzU2aGd4emNHbG1abVU2THk5aEwySXdEUVlKS29aSQpodmNOQVFFTEJRQURnZ0VCQUczczIwRlpLWUZDbVptKy9Pc2greEtKNlBRTVBUNE9WbHZ4L3pFdEJhamR0b2l2Cm94c3ozNFRzeG92SzA0dTdsaGFVd3pvbUMzR3BGNm5vNWFiRHhGVmlOSEUwVUJibTBxaWtnMU1UU2ZzSTNpNHAKdmtlR3JrdnArUjFzWjVxNWhBNWxLRDRTOEgvT0w0K3RBNnVHdEhmZ25OMGpBUGR0UWFtUU1aNlprRk5pYkRoLwpuYmhkNlZlMHozRG8ydS9rSXVmcVNaSkZrditndFhsVyt2Q0k1NVY4WXBGQjJBVUlUQ0RMbmlRQ29ycXg0SXR2CjZYMzBMYmFRMkkxUGY2L1F3aDJuM3hoT0t1MFo5ZENmeW1YZ0wydUd3UGhvTld1ZkNDQ1k5Ui9QRHZMdzJSVWcKVkIwMVM4WXBLajd4MkhPQUR3MzN1Mk1EZUFpVUtkVGVQbTAweE1zPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K, valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: 1m}}}
    - {name: EMPTY}
    volumeDevices: [{name: dev, devicePath: /dev/x}]
    volumeMounts: [{name: v2, mountPath: /m, subPathExpr: "$(L)"}]
  ephemeralContainers: []
  volumes:
  - {name: dev, persistentVolumeClaim: {claimName: data}}
  - {name: v2, gcePersistentDisk: {pdName: pd, fsType: ext4, partition: 2, readOnly: true}}
  - {name: v3, awsElasticBlockStore: {volumeID: vol}}
  - {name: v4, gitRepo: {repository: "r", revision: x, directory: dd}}
  - {name: v5, iscsi: {targetPortal: "1.1.1.1:3260", iqn: "iqn.2001-04.com.example:storage.disk1", lun: 1, portals: ["a:1", "b:2"], secretRef: {name: sr}, initiatorName: "iqn.2001-04.com.example:x"}}
  - {name: v6, glusterfs: {endpoints: e, path: p}}
  - {name: v7, rbd: {monitors: [a, b], image: im, secretRef: {name: sr}}}
  - {name: v8, quobyte: {registry: "a:1", volume: vv}}
  - {name: v9, azureDisk: {diskName: dn, diskURI: "https://x.blob.core.windows.net/a/b.vhd", kind: Shared}}
  - {name: v10, vsphereVolume: {volumePath: vp, storagePolicyName: spn}}
  - {name: v11, cinder: {volumeID: vi, secretRef: {name: sr}}}
  - {name: v12, photonPersistentDisk: {pdID: pp}}
  - {name: v13, portworxVolume: {volumeID: pw}}
  - {name: v14, scaleIO: {gateway: g, system: s, volumeName: vn, secretRef: {name: sr}}}
  - {name: v15, cephfs: {monitors: [m], path: /p, user: u, secretRef: {name: sr}}}
  - {name: v16, storageos: {volumeName: vn}}
  - {name: v17, fc: {targetWWNs: [aa, bb], lun: 2}}
  - {name: v18, azureFile: {secretName: sn, shareName: shn}}
  - {name: v19, flexVolume: {driver: "k8s/d", options: {a: b, c: d}, secretRef: {name: sr}}}
  - {name: v20, flocker: {datasetName: dsn}}
  - {name: v21, csi: {driver: d.example.com, volumeAttributes: {a: b, c: d}}}
  - {name: v22, csi: {driver: d.example.com}}
  - {name: v23, ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b, c: d}, annotations: {e: f, g: h}}, spec: {storageClassName: slow, accessModes: [ReadWriteOnce], volumeMode: Block, dataSource: {kind: PersistentVolumeClaim, name: other}, resources: {requests: {storage: 1Gi}}}}}}
  - {name: v24, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}, {path: cpu, resourceFieldRef: {containerName: main, resource: limits.cpu}}]}}
  - {name: v25, configMap: {name: settings, optional: true}}
  - {name: v26, fc: {wwids: [w]}}
`

/** The CustomResourceDefinition of the custom object. */
export const DESCRIBED_DEFINITION = `apiVersion: apiextensions.k8s.io/v1
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
