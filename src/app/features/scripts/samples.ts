import list from './samples/list.ts?raw'
import watch from './samples/watch.ts?raw'
import * as texts from './shell-texts'

export const SCRIPT_SAMPLES = [
  { title: 'list.ts', about: texts.listSample, text: list },
  { title: 'watch.ts', about: texts.watchSample, text: watch },
]
