import { startExplorer } from './explorer.js';
import { startLog } from './log.js';
import { startUploads } from './uploads.js';

startUploads();
startLog();
startExplorer();
