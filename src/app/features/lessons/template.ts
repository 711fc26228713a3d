/** The initial text of a new lesson: a complete, short example. */
export const TEMPLATE = `# A lesson: its story, its start state, and the checks of each step.
# The guide is docs/lessons.md of the project.
id: two-are-enough
title: Two are enough
minutes: 5
about: Change how many there are, and let the controller do the rest.
rules: "Deployments: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/"
story: |
  The shop has one till, and the queue reaches the street.

  Pods are rarely created by hand: a Deployment states how many there should be.
start:
  objects: |
    apiVersion: v1
    kind: Namespace
    metadata: { name: shop }
    ---
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: till, namespace: shop }
    spec:
      replicas: 1
      selector: { matchLabels: { app: till } }
      template:
        metadata: { labels: { app: till } }
        spec:
          containers: [{ name: till, image: "till:1" }]
steps:
  - title: Open a second till
    text: Have two tills, without making a Pod yourself.
    hints:
      - The number is a field of the Deployment, not of the Pods.
      - Set spec.replicas of the Deployment till to 2.
      - kubectl scale deployment/till -n shop --replicas=2
    checks:
      - kind: object
        path: /apis/apps/v1/namespaces/shop/deployments/till
        is: { spec: { replicas: 2 }, status: { replicas: 2 } }
        says: The Deployment has two of two replicas.
    solution:
      - method: PATCH
        path: /apis/apps/v1/namespaces/shop/deployments/till/scale
        contentType: application/merge-patch+json
        body: { spec: { replicas: 2 } }
# A plausible mistake. It must not finish the lesson.
wrong:
  - method: POST
    path: /api/v1/namespaces/shop/pods
    body:
      metadata: { name: till-by-hand }
      spec: { containers: [{ name: till, image: "till:1" }] }
after: What happens to a Pod that you make yourself with the label app=till?
`
