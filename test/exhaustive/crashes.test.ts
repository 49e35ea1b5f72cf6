import { describeCrashes } from '../crash/matrix.ts';

describeCrashes('rest');
