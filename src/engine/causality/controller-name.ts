/** @returns `deployment-controller`, `kube-scheduler`, `kubelet node-1` */
export function controllerName(user: string): string {
  const node = /^system:node:(.*)$/s.exec(user)?.[1]
  return node === undefined ? (user.split(':').at(-1) ?? user) : `kubelet ${node}`
}
