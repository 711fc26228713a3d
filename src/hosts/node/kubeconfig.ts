/** JSON is valid YAML. */
export function kubeconfig(server: string, certificate: string, token: string): string {
  const name = 'kubetab'
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server,
          'certificate-authority-data': Buffer.from(certificate).toString('base64'),
        },
      },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
