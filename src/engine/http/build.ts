/** The build that `/version` reports. Recorded from `/version` of kube-apiserver 1.31. */
export const BUILD = {
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
}
