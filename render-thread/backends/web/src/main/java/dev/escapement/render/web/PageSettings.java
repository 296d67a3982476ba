package dev.escapement.render.web;

import dev.escapement.state.service.WorldControl;
import org.jspecify.annotations.Nullable;

/** What a page shows, and how much of the past it keeps. */
record PageSettings(
        String title,
        int historySeconds,
        long historyBytes,
        @Nullable WorldControl world,
        @Nullable Runnable onRestart) {}
