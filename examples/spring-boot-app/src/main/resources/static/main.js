import { startExplorer } from './explorer.js';
import { startLog } from './log.js';
import { startSearch } from './search.js';
import { startUploads } from './uploads.js';

startUploads();
startLog();
startExplorer();
startSearch();
