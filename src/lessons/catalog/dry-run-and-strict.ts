import type { Lesson } from '../lesson'

const MAPS = '/api/v1/namespaces/shop/configmaps'
const SERVICES = '/api/v1/namespaces/shop/services'

export const dryRunAndStrict: Lesson = {
  id: 'dry-run-and-strict',
  title: 'Dry run, and strict fields',
  minutes: 7,
  about: 'Preview the result of a write, and catch fields that would be dropped silently.',
  rules: 'Dry-run: https://kubernetes.io/docs/reference/using-api/api-concepts/#dry-run',
  story: `Twice this month a manifest with a misspelled field was accepted, and the setting was never applied. The server can reject such a manifest or warn, and it can process a request without persisting it.`,
  start: {
    objects: 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n',
    files: [
      {
        title: 'service.yaml',
        language: 'yaml',
        text: `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
spec:
  selektor: # a field that the type does not have
    app: web
  ports:
    - port: 80
`,
      },
    ],
  },
  steps: [
    {
      title: 'Look before you leap',
      text: 'Create the ConfigMap plan in shop as a dry run. The response looks as if it existed, with a uid; it does not.',
      hints: [
        'The page has a button for a dry run.',
        'The parameter is dryRun=All; every write request accepts it.',
        `POST ${MAPS}?dryRun=All with {"metadata":{"name":"plan"}}.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'configmaps', namespace: 'shop', query: { dryRun: '^All$' }, code: 201 },
          says: 'A dry run went through.',
        },
        { kind: 'absent', path: `${MAPS}/plan`, says: 'Nothing was written.' },
      ],
      solution: [
        { method: 'POST', path: `${MAPS}?dryRun=All`, body: { metadata: { name: 'plan' } } },
      ],
    },
    {
      title: 'Be strict',
      text: 'Create the Service of service.yaml with fieldValidation=Strict. The server rejects it with 400 and names the field. (Server-side apply always rejects it: a field outside the schema cannot be owned.)',
      hints: [
        'The arrow next to Apply has Create and the field validation.',
        'Create it with field validation Strict.',
        `POST ${SERVICES}?fieldValidation=Strict with the manifest: 400, strict decoding error.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'services', query: { fieldValidation: '^Strict$' }, code: 400 },
          says: 'The misspelled field was rejected.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${SERVICES}?fieldValidation=Strict`,
          body: {
            metadata: { name: 'web' },
            spec: { selektor: { app: 'web' }, ports: [{ port: 80 }] },
          },
          status: 400,
        },
      ],
    },
    {
      title: 'Fix it',
      text: 'Fix the typo and create the Service, still strict: it selects the Pods with app=web.',
      hints: [
        'The member is called selector.',
        'Change selektor to selector and send it again.',
        'With fieldValidation=Strict the response is 201.',
      ],
      checks: [
        {
          kind: 'object',
          path: `${SERVICES}/web`,
          is: { spec: { selector: { app: 'web' } } },
          says: 'The Service selects app=web.',
        },
        {
          kind: 'request',
          is: {
            resource: 'services',
            query: { fieldValidation: '^Strict$', dryRun: null },
            code: 201,
          },
          says: 'It was created strictly.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${SERVICES}?fieldValidation=Strict`,
          body: {
            metadata: { name: 'web' },
            spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
          },
        },
      ],
    },
  ],
  wrong: [
    { method: 'POST', path: `${MAPS}?dryRun=All`, body: { metadata: { name: 'plan' } } },
    // Ignored, the field is lost in silence.
    {
      method: 'POST',
      path: `${SERVICES}?fieldValidation=Ignore`,
      body: {
        metadata: { name: 'web' },
        spec: { selektor: { app: 'web' }, ports: [{ port: 80 }] },
      },
    },
  ],
  after: 'Send the misspelled manifest with fieldValidation=Warn and look at the response headers.',
}
