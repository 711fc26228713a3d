/** Manifests of their time, to rehearse with: each meets a row of the table of removed versions. */

export const SAMPLE_RELEASES = { from: '1.21', to: '1.25' } as const

export const SAMPLE = `# Written for an older cluster. What becomes of it on the way to ${SAMPLE_RELEASES.to}?
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: shop
  namespace: default
spec:
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            backend:
              serviceName: web # the Service below
              servicePort: 80
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata:
  name: web
  namespace: default
spec:
  minAvailable: 1
  selector: {}
---
apiVersion: batch/v1beta1
kind: CronJob
metadata:
  name: tidy
  namespace: default
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: tidy
              image: busybox:1.36
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: default
spec:
  selector:
    app: web
  ports:
    - port: 80
`
