#pragma once

#include <csignal>

namespace bowhist {

/// While it lives, the signals that ask a program to end wait for its thread; threads made
/// meanwhile, and the programs that those start, never get them.
///
/// PoCL's threads start a linker. Ctrl-C goes to every program of a terminal, and PoCL aborts the
/// process when its linker ends unfinished.
class SignalsHeld {
  public:
    SignalsHeld() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsHeld(const SignalsHeld &) = delete;
    SignalsHeld &operator=(const SignalsHeld &) = delete;

  private:
    sigset_t before_{};
};

} // namespace bowhist
