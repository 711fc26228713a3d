import type { Lesson } from '../lesson'

const SHOP = '/api/v1/namespaces/shop'
const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop'

export const leastPrivilege: Lesson = {
  id: 'least-privilege',
  title: 'Least privilege',
  minutes: 9,
  about: 'Grant exactly the permissions that a task needs, and check that the rest is denied.',
  rules: 'Using RBAC authorization: https://kubernetes.io/docs/reference/access-authn-authz/rbac/',
  story: `Bob prints the price list: he must read the ConfigMap prices in shop, and watch its changes. A colleague proposed to make him an administrator. You know better.`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: v1
kind: ConfigMap
metadata: { name: prices, namespace: shop }
data: { tea: "2" }
---
apiVersion: v1
kind: Secret
metadata: { name: till, namespace: shop }
stringData: { pin: "not-a-real-pin" }
`,
    files: [],
  },
  steps: [
    {
      title: 'Start with no permissions',
      text: 'As bob, try to read the ConfigMap prices. He has no permissions, so it is forbidden.',
      hints: [
        'Switch the user.',
        'As bob, get the ConfigMap by name.',
        `GET ${SHOP}/configmaps/prices as bob: 403.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { user: 'bob', resource: 'configmaps', verb: 'get', code: 403 },
          says: 'bob was denied.',
        },
      ],
      solution: [{ as: 'bob', method: 'GET', path: `${SHOP}/configmaps/prices`, status: 403 }],
    },
    {
      title: 'A role for one name',
      text: 'As admin, create a Role in shop that allows get and watch on ConfigMaps, on the one called prices alone, and bind bob to it.',
      hints: [
        'A rule can name objects: resourceNames.',
        'The Role needs apiGroups [""], resources [configmaps], resourceNames [prices], verbs [get, watch]; a RoleBinding names the user bob.',
        'kubectl create role price-reader --verb=get,watch --resource=configmaps --resource-name=prices -n shop; kubectl create rolebinding bob-reads-prices --role=price-reader --user=bob -n shop',
      ],
      checks: [
        {
          kind: 'object',
          path: `${RBAC}/roles`,
          is: {
            items: [
              {
                rules: [
                  {
                    apiGroups: [''],
                    resources: ['configmaps'],
                    resourceNames: ['prices'],
                    verbs: ['get', 'watch'],
                  },
                ],
              },
            ],
          },
          says: 'A Role allows get and watch on prices.',
        },
        {
          kind: 'object',
          path: `${RBAC}/roles`,
          is: {},
          isNot: { items: [{ rules: [{ verbs: ['/^[^gw]/'] }] }] },
          says: 'No Role allows more than get and watch.',
        },
        {
          kind: 'object',
          path: `${RBAC}/roles`,
          is: {},
          isNot: { items: [{ rules: [{ resourceNames: null }] }] },
          says: 'Every rule is for a name.',
        },
        {
          kind: 'object',
          path: `${RBAC}/rolebindings`,
          is: { items: [{ subjects: [{ kind: 'User', name: 'bob' }] }] },
          says: 'A RoleBinding names bob.',
        },
      ],
      solution: [
        {
          method: 'POST',
          path: `${RBAC}/roles`,
          body: {
            metadata: { name: 'price-reader' },
            rules: [
              {
                apiGroups: [''],
                resources: ['configmaps'],
                resourceNames: ['prices'],
                verbs: ['get', 'watch'],
              },
            ],
          },
        },
        {
          method: 'POST',
          path: `${RBAC}/rolebindings`,
          body: {
            metadata: { name: 'bob-reads-prices' },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'price-reader' },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
          },
        },
      ],
    },
    {
      title: 'What works, and what must not',
      text: 'As bob: read prices, which works now. Then try to read the Secret till, and to list all ConfigMaps: both must be forbidden.',
      hints: [
        'Three requests as bob.',
        'get configmaps/prices, get secrets/till, list configmaps.',
        'If the Secret can be read, the role is too wide: mend it and try again.',
      ],
      checks: [
        {
          kind: 'request',
          is: { user: 'bob', resource: 'configmaps', name: 'prices', verb: 'get', code: 200 },
          says: 'bob reads prices.',
        },
        {
          kind: 'request',
          is: { user: 'bob', resource: 'secrets', verb: 'get', code: 403 },
          says: 'bob cannot read the Secret.',
        },
        {
          kind: 'request',
          is: { user: 'bob', resource: 'configmaps', verb: 'list', code: 403 },
          says: 'bob cannot list ConfigMaps.',
        },
      ],
      solution: [
        { as: 'bob', method: 'GET', path: `${SHOP}/configmaps/prices` },
        { as: 'bob', method: 'GET', path: `${SHOP}/secrets/till`, status: 403 },
        { as: 'bob', method: 'GET', path: `${SHOP}/configmaps`, status: 403 },
      ],
    },
  ],
  wrong: [
    { as: 'bob', method: 'GET', path: `${SHOP}/configmaps/prices`, status: 403 },
    {
      method: 'POST',
      path: `${RBAC}/rolebindings`,
      body: {
        metadata: { name: 'bob-is-admin' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
      },
    },
    { as: 'bob', method: 'GET', path: `${SHOP}/configmaps/prices` },
    { as: 'bob', method: 'GET', path: `${SHOP}/secrets/till` },
  ],
  after:
    'Let bob watch the one ConfigMap: which field selector does the request need so that the rule with resourceNames allows it?',
}
