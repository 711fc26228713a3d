import type { Lesson } from '../lesson'

const MAPS = '/api/v1/namespaces/shop/configmaps'
const SERVICES = '/api/v1/namespaces/shop/services'

export const dryRunAndStrict: Lesson = {
  id: 'dry-run-and-strict',
  title: 'Dry run, and strict fields',
  minutes: 7,
  about:
    'See what would happen before it does, and be told of fields that would be lost in silence.',
  rules: 'Dry-run: https://kubernetes.io/docs/reference/using-api/api-concepts/#dry-run',
  story: `Twice this month a manifest with a misspelt field went through, and nobody noticed that the setting was never there. The server can refuse such a thing, or warn, and it can go through everything without writing.`,
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
  selektor: # a word that the type does not have
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
      text: 'Create the ConfigMap plan in shop as a dry run. The answer looks as if it were there, with a uid and all; it is not.',
      hints: [
        'The page has a button for a dry run.',
        'The parameter is dryRun=All; it goes with any request that writes.',
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
      text: 'Create the Service of service.yaml with fieldValidation=Strict. The server refuses it with 400 and names the field. (Server-side apply refuses it in any case: nobody can own a field that the type does not have.)',
      hints: [
        'The arrow beside Apply has Create, and how strict the server is to be.',
        'Create it with field validation Strict.',
        `POST ${SERVICES}?fieldValidation=Strict with the manifest: 400, strict decoding error.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { resource: 'services', query: { fieldValidation: '^Strict$' }, code: 400 },
          says: 'The misspelt field was refused.',
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
      title: 'Write it right',
      text: 'Mend the word and create the Service, still strict: it selects the Pods with app=web.',
      hints: [
        'The member is called selector.',
        'Change selektor to selector and send it again.',
        'With fieldValidation=Strict the answer is 201.',
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
  after: 'Send the misspelt manifest with fieldValidation=Warn and look at the response headers.',
}
