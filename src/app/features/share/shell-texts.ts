// Commands

export const shareLink = 'Share a link'
export const group = 'Cluster'
export const copyIssue = 'Copy as issue: the last requests, with a link to this workspace'
export const exportCluster = 'Export the cluster as YAML'
export const importCluster = 'Import a cluster from YAML'
export const reset = 'Reset the cluster'
