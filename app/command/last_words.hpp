#pragma once

namespace bowhist::app {

/// From now on no library ends the program without a word. One that aborts, crashes or calls exit()
/// first has what it printed since silence_libraries() shown on standard error, and then a line of
/// ours. After abort() and exit() the status is 3; a crash stays one.
void keep_last_words();

/// All is done: libraries change no status from now on, while the process ends.
void ends_with(int status);

/// A descriptor for what libraries print; keep_last_words() shows the first 64 KiB. It stays open.
/// -1 where it cannot be had.
int open_hearing();

} // namespace bowhist::app
