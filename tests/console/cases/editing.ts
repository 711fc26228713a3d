/** `kubectl edit`, with an editor that changes the text as a user would. */
import type { Case } from './case'

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}, {name: side, image: busybox}]}
`
const settings = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}}
data: {color: blue, text: "a\\nb"}
`

const COLOR = '  color: blue'

export const EDITING: Case = {
  name: 'editing',
  flags: ['--controllers=off'],
  files: {
    'web.yaml': WEB,
    'one.yaml': settings('one'),
    'two.yaml': settings('two'),
    'gone.yaml': settings('gone'),
  },
  steps: [
    'create -f web.yaml -f one.yaml -f two.yaml',
    'edit',
    'edit configmap nope',
    'edit -f gone.yaml',
    'edit configmaps -l a=b',
    // An unchanged text, one that changes only formatting, and an empty one.
    { line: 'edit configmap one', edits: [['# Please', '# Never']] },
    { line: 'edit configmap one', edits: [['color: blue', 'color: "blue"']] },
    { line: 'edit configmap/one configmap/two', edits: [['# Please', '# Never']] },
    // A single object, and a list of two in which one changes.
    { line: 'edit configmap one', edits: [[COLOR, '  color: red']] },
    { line: 'edit configmap one -o yaml', edits: [['  color: red', '  color: blue']] },
    { line: 'edit configmap one two', edits: [['    color: blue', '    color: green']] },
    { line: 'edit -f one.yaml -f two.yaml', edits: [['    color: green', '    color: blue']] },
    { line: 'edit deployment web', edits: [['image: busybox', 'image: alpine']] },
    'get deployment web -o yaml --show-managed-fields',
    // Rejected and then fixed, rejected and abandoned, and rejected for two reasons.
    {
      line: 'edit deployment web',
      edits: [
        ['replicas: 2', 'replicas: -1'],
        ['replicas: -1', 'replicas: 3'],
      ],
    },
    { line: 'edit deployment web', edits: [['replicas: 3', 'replicas: -2']] },
    { line: 'edit deployment web', edits: [['image: nginx', 'image: ""']] },
    {
      line: 'edit configmap one',
      edits: [
        [COLOR, '  "co lor": blue'],
        ['  "co lor": blue', '  "col or": blue'],
        ['  "col or": blue', '  color: red'],
      ],
    },
    // Invalid YAML, then valid YAML.
    {
      line: 'edit configmap one',
      edits: [
        ['  color: red', '  color: red: blue'],
        ['  color: red: blue', '  color: blue'],
      ],
    },
    { line: 'edit configmap one', edits: [['kind: ConfigMap', 'kind: Nope']] },
    { line: 'edit configmap one', edits: [['kind: ConfigMap\n', '']] },
    { line: 'edit configmap one', edits: [['apiVersion: v1\n', '']] },
    { line: 'edit configmap one two', edits: [['    color: green', '    color: a: b']] },
    // An object that was not opened.
    { line: 'edit configmap one', edits: [['  name: one', '  name: other']] },
    { line: 'edit configmap one', edits: [['kind: ConfigMap', 'kind: Secret']] },
    { line: 'edit configmap one', edits: [['namespace: default', 'namespace: other']] },
    // Rejected for a reason other than invalid fields.
    { line: 'edit configmap one', edits: [['kind: ConfigMap', 'extra: true\nkind: ConfigMap']] },
    { line: 'edit configmap one', edits: [['resourceVersion: "', 'resourceVersion: "1']] },
    { line: 'edit configmap one --as=nobody', edits: [[COLOR, '  color: red']] },
    'get configmap one -o yaml',
  ],
}
