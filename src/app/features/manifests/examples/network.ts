/** How things are reached. */
export const NETWORK: Record<string, string> = {
  'v1 Service': `# One stable address in front of pods that come and go.
apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: default
spec:
  selector:
    app: shop
  ports:
    - name: http
      port: 80
      targetPort: 80
`,
  'v1 Endpoints': `# Addresses of the Service of the same name. EndpointSlices replace it.
apiVersion: v1
kind: Endpoints
metadata:
  name: outside-db
  namespace: default
subsets:
  - addresses:
      - ip: 192.0.2.10
    ports:
      - name: postgres
        port: 5432
`,
  'discovery.k8s.io/v1 EndpointSlice': `# Some of the addresses of a Service.
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata:
  name: outside-db-1
  namespace: default
  labels:
    kubernetes.io/service-name: outside-db
addressType: IPv4
endpoints:
  - addresses: [192.0.2.10]
    conditions:
      ready: true
ports:
  - name: postgres
    port: 5432
    protocol: TCP
`,
  'networking.k8s.io/v1 Ingress': `# Leads requests from outside to Services, by host and path.
apiVersion: networking.k8s.io/v1
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
            pathType: Prefix
            backend:
              service:
                name: shop
                port:
                  name: http
`,
  'networking.k8s.io/v1 IngressClass': `# Which controller serves an Ingress.
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: public
spec:
  controller: example.com/ingress-controller
`,
  'networking.k8s.io/v1 NetworkPolicy': `# Which traffic the selected pods accept: here only from pods of the shop, on one port.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: db-only-from-shop
  namespace: default
spec:
  podSelector:
    matchLabels:
      app: db
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app: shop
      ports:
        - port: 5432
          protocol: TCP
`,
}
