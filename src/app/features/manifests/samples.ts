import settings from './samples/settings.yaml?raw'
import team from './samples/team.yaml?raw'
import web from './samples/web.yaml?raw'
import * as texts from './shell-texts'

export interface Sample {
  title: string
  about: string
  text: string
}

export const SAMPLES: Sample[] = [
  { title: 'web.yaml', about: texts.sampleWeb, text: web },
  { title: 'settings.yaml', about: texts.sampleSettings, text: settings },
  { title: 'team.yaml', about: texts.sampleTeam, text: team },
]
