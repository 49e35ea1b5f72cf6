import { describeCrashes } from './matrix.ts';

describeCrashes('sample');
