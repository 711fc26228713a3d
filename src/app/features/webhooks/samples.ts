import addLabel from './samples/add-label.js?raw'
import convertShirts from './samples/convert-shirts.js?raw'
import quotesApi from './samples/quotes-api.js?raw'
import requireOwner from './samples/require-owner.js?raw'
import { SAMPLES } from './texts'

export interface HandlerSample {
  name: string
  about: string
  address: string
  source: string
}

export const HANDLER_SAMPLES: readonly HandlerSample[] = [
  {
    name: 'add-label',
    about: SAMPLES.addLabel,
    address: 'https://hooks.example.com/add-label',
    source: addLabel,
  },
  {
    name: 'require-owner',
    about: SAMPLES.requireOwner,
    address: 'https://hooks.example.com/require-owner',
    source: requireOwner,
  },
  {
    name: 'convert-shirts',
    about: SAMPLES.convert,
    address: 'https://hooks.example.com/convert-shirts',
    source: convertShirts,
  },
  {
    name: 'quotes-api',
    about: SAMPLES.server,
    address: 'default/quotes',
    source: quotesApi,
  },
]
