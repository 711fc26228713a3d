import type { Lesson } from '../lesson'

const RBAC = '/apis/rbac.authorization.k8s.io/v1/namespaces/shop'
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
/**
 * A 403 for another reason, such as a namespace where carol cannot write roles at all, does not
 * count.
 */
const ESCALATION = 'attempting to grant'
const GROUP = 'rbac.authorization.k8s.io'

export const noLadderUp: Lesson = {
  id: 'no-ladder-up',
  title: 'Privilege escalation prevention',
  minutes: 9,
  about: 'See why a user who can write roles cannot grant more than their own permissions.',
  rules:
    'Privilege escalation prevention: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping',
  story: `Carol manages the roles of the namespace shop: she can create Roles and RoleBindings, and read Pods. Could she write herself a role that reads Secrets?`,
  start: {
    objects: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: role-manager, namespace: shop }
rules:
  - apiGroups: [rbac.authorization.k8s.io]
    resources: [roles, rolebindings]
    verbs: [get, list, create, update, patch]
  - apiGroups: [""]
    resources: [pods]
    verbs: [get, list]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: carol-manages-roles, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: role-manager }
subjects:
  - { apiGroup: rbac.authorization.k8s.io, kind: User, name: carol }
`,
    files: [],
  },
  steps: [
    {
      title: 'Check what you can do',
      text: 'As carol, check whether you can get Secrets in shop: create a SelfSubjectAccessReview. It is not persisted; its status is the result.',
      hints: [
        'A review is an object that you post and get back with a status.',
        'Group authorization.k8s.io, resource selfsubjectaccessreviews.',
        `POST ${REVIEWS} as carol with {"spec":{"resourceAttributes":{"namespace":"shop","verb":"get","resource":"secrets"}}}.`,
      ],
      checks: [
        {
          kind: 'request',
          is: { user: 'carol', verb: 'create', resource: 'selfsubjectaccessreviews', code: 201 },
          says: 'carol checked her access.',
        },
      ],
      solution: [
        {
          as: 'carol',
          method: 'POST',
          path: REVIEWS,
          body: {
            spec: { resourceAttributes: { namespace: 'shop', verb: 'get', resource: 'secrets' } },
          },
        },
      ],
    },
    {
      title: 'Try to escalate',
      text: 'As carol, create a Role that allows get on Secrets. The server forbids it: no one can grant permissions that they do not have.',
      hints: [
        'It is an ordinary Role, written by carol.',
        'rules: apiGroups [""], resources [secrets], verbs [get].',
        'kubectl create role secret-reader --verb=get --resource=secrets -n shop --as=carol; the response is 403 and names the permissions that carol would grant.',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            user: 'carol',
            resource: 'roles',
            namespace: 'shop',
            code: 403,
            message: ESCALATION,
          },
          says: 'Escalation is denied.',
        },
      ],
      solution: [
        {
          as: 'carol',
          method: 'POST',
          path: `${RBAC}/roles`,
          body: {
            metadata: { name: 'secret-reader' },
            rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
          },
          status: 403,
        },
      ],
    },
    {
      title: 'Or to bind',
      text: 'An existing role does not help either: as carol, try to bind yourself to the ClusterRole admin.',
      hints: [
        'A RoleBinding can refer to a ClusterRole.',
        'roleRef kind ClusterRole, name admin; subject carol.',
        'kubectl create rolebinding carol-is-admin --clusterrole=admin --user=carol -n shop --as=carol; 403 again: binding requires the permissions of the role, or the verb bind.',
      ],
      checks: [
        {
          kind: 'request',
          is: {
            user: 'carol',
            resource: 'rolebindings',
            namespace: 'shop',
            code: 403,
            message: ESCALATION,
          },
          says: 'The binding is denied.',
        },
      ],
      solution: [
        {
          as: 'carol',
          method: 'POST',
          path: `${RBAC}/rolebindings`,
          body: {
            metadata: { name: 'carol-is-admin' },
            roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name: 'admin' },
            subjects: [{ apiGroup: GROUP, kind: 'User', name: 'carol' }],
          },
          status: 403,
        },
      ],
    },
    {
      title: 'Give what you have',
      text: 'carol can grant her own permissions: as carol, create a Role pod-reader that allows get on Pods, and bind bob to it.',
      hints: [
        'Nothing more than her own permissions.',
        'A Role with get on pods, and a RoleBinding for the user bob.',
        'kubectl create role pod-reader --verb=get --resource=pods -n shop --as=carol; kubectl create rolebinding bob-reads-pods --role=pod-reader --user=bob -n shop --as=carol',
      ],
      checks: [
        {
          kind: 'object',
          path: `${RBAC}/roles/pod-reader`,
          is: { rules: [{ resources: ['pods'], verbs: ['get'] }] },
          says: 'The Role pod-reader is there.',
        },
        {
          kind: 'request',
          is: { user: 'carol', resource: 'roles', namespace: 'shop', code: 201 },
          says: 'carol created a Role.',
        },
        {
          kind: 'object',
          path: `${RBAC}/rolebindings`,
          is: {
            items: [
              {
                roleRef: { kind: 'Role', name: 'pod-reader' },
                subjects: [{ kind: 'User', name: 'bob' }],
              },
            ],
          },
          says: 'bob is bound to it.',
        },
        {
          kind: 'request',
          is: { user: 'carol', resource: 'rolebindings', namespace: 'shop', code: 201 },
          says: 'carol bound him.',
        },
      ],
      solution: [
        {
          as: 'carol',
          method: 'POST',
          path: `${RBAC}/roles`,
          body: {
            metadata: { name: 'pod-reader' },
            rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
          },
        },
        {
          as: 'carol',
          method: 'POST',
          path: `${RBAC}/rolebindings`,
          body: {
            metadata: { name: 'bob-reads-pods' },
            roleRef: { apiGroup: GROUP, kind: 'Role', name: 'pod-reader' },
            subjects: [{ apiGroup: GROUP, kind: 'User', name: 'bob' }],
          },
        },
      ],
    },
  ],
  wrong: [
    {
      as: 'carol',
      method: 'POST',
      path: REVIEWS,
      body: {
        spec: { resourceAttributes: { namespace: 'shop', verb: 'get', resource: 'secrets' } },
      },
    },
    // A user with all permissions does it for her: nothing was denied.
    {
      method: 'POST',
      path: `${RBAC}/roles`,
      body: {
        metadata: { name: 'pod-reader' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
    },
  ],
  after:
    'As admin, give carol the verb escalate on roles, and try the second step again. Why is that verb as good as all permissions?',
}
