/**
 * Tools for threads: confining objects to one thread, requests to the operating system, and the processor time of a thread.
 */
@NullMarked
package dev.escapement.state.thread;

import org.jspecify.annotations.NullMarked;
