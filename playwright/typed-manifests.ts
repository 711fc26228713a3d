/** Manifests that stories type with real keys, in any browser. */

/** The common interface of both browsers' drivers: one key at a time. */
export interface Keyboard {
  press(key: string): Promise<void>
  type(text: string): Promise<void>
}

/** Slashes and question marks where manifests have them: group versions, images, URLs, comments. */
export const DEPLOYMENT = `# https://kubernetes.io/docs/ // what runs here?
apiVersion: apps/v1
kind: Deployment
metadata:
  name: typed
  annotations:
    example.com/docs: "https://example.com/a?b=c//d"
spec:
  replicas: 1
  selector:
    matchLabels:
      app: typed
  template:
    metadata:
      labels:
        app: typed
    spec:
      containers:
        - name: web
          image: library/nginx:1.27
          imagePullPolicy: IfNotPresent`

/** A definition and an object of its kind in one file. */
export const DEFINITION_AND_OBJECT = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: backups.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Backup
    plural: backups
    singular: backup
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-preserve-unknown-fields: true
---
apiVersion: example.com/v1
kind: Backup
metadata:
  name: nightly`

/** Types the text key by key. Enter ends each line; the indentation that the editor proposes is replaced by that of the text. */
export async function typeText(keyboard: Keyboard, text: string): Promise<void> {
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) {
      await keyboard.press('Enter')
      await keyboard.press('Shift+Home')
      await keyboard.press('Delete')
    }
    await keyboard.type(line)
  }
}

/** The printable ASCII characters that no editor completes to a pair. */
export const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((character) => !/["'`()[\]{}<>]/.test(character))
  .join('')
