/** Examples of configuration and storage objects. */
export const CONFIG_AND_STORAGE: Record<string, string> = {
  'v1 ConfigMap': `# Settings, by name.
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-settings
  namespace: default
data:
  currency: EUR
  shop.properties: |
    greeting=Hello
    items=20
`,
  'v1 Secret': `# Like a ConfigMap, for confidential data. stringData is stored as base64.
apiVersion: v1
kind: Secret
metadata:
  name: shop-database
  namespace: default
type: Opaque
stringData:
  user: shop
  password: change-me
`,
  'v1 PersistentVolumeClaim': `# Requests a volume.
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: pictures
  namespace: default
spec:
  accessModes: [ReadWriteOnce]
  resources:
    requests:
      storage: 2Gi
`,
  'v1 PersistentVolume': `# A volume that claims can be bound to.
apiVersion: v1
kind: PersistentVolume
metadata:
  name: disk-1
spec:
  capacity:
    storage: 5Gi
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  storageClassName: by-hand
  hostPath:
    path: /mnt/disk-1
`,
  'storage.k8s.io/v1 StorageClass': `# How volumes are provisioned for claims that name it.
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: fast
provisioner: example.com/ssd
volumeBindingMode: WaitForFirstConsumer
allowVolumeExpansion: true
`,
  'storage.k8s.io/v1 CSIDriver': `# What a storage driver needs and can do.
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata:
  name: ssd.example.com
spec:
  attachRequired: true
  podInfoOnMount: false
  volumeLifecycleModes: [Persistent]
`,
  'storage.k8s.io/v1 CSINode': `# Which storage drivers a node has. The node itself writes it.
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata:
  name: node-1
spec:
  drivers:
    - name: ssd.example.com
      nodeID: node-1
      topologyKeys: []
`,
  'storage.k8s.io/v1 CSIStorageCapacity': `# How much room a storage class has left in a part of the cluster.
apiVersion: storage.k8s.io/v1
kind: CSIStorageCapacity
metadata:
  name: fast-in-zone-a
  namespace: default
storageClassName: fast
capacity: 100Gi
nodeTopology:
  matchLabels:
    topology.kubernetes.io/zone: a
`,
  'storage.k8s.io/v1 VolumeAttachment': `# Requests to attach a volume to a node. Controllers create it.
apiVersion: storage.k8s.io/v1
kind: VolumeAttachment
metadata:
  name: disk-1-on-node-1
spec:
  attacher: ssd.example.com
  nodeName: node-1
  source:
    persistentVolumeName: disk-1
`,
}
