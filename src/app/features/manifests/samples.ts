/** Manifests to begin with. */
import settings from './samples/settings.yaml?raw'
import team from './samples/team.yaml?raw'
import web from './samples/web.yaml?raw'

export interface Sample {
  title: string
  about: string
  text: string
}

export const SAMPLES: Sample[] = [
  { title: 'web.yaml', about: 'Deployment with a Service', text: web },
  { title: 'settings.yaml', about: 'ConfigMap', text: settings },
  { title: 'team.yaml', about: 'Namespace with a Role and RoleBinding', text: team },
]
