package dev.escapement.state.event;

/**
 * The order of a tick's events: by body, by other body, by kind, by coordinates. It depends only on the events themselves, and not on the
 * order in which an engine's worker threads reported them.
 */
final class EventOrder {

    private EventOrder() {}

    static int compare(BodyEvent a, BodyEvent b) {
        int order = Long.compare(a.body(), b.body());
        order = order != 0 ? order : Long.compare(a.other(), b.other());
        order = order != 0 ? order : a.kind().compareTo(b.kind());
        order = order != 0 ? order : Float.compare(a.x(), b.x());
        order = order != 0 ? order : Float.compare(a.y(), b.y());
        order = order != 0 ? order : Float.compare(a.z(), b.z());
        order = order != 0 ? order : Float.compare(a.nx(), b.nx());
        order = order != 0 ? order : Float.compare(a.ny(), b.ny());
        return order != 0 ? order : Float.compare(a.nz(), b.nz());
    }

    /** Sorts the first events of an array. A heap sort, because the library's own sorts of objects allocate. */
    static void sort(BodyEvent[] events, int count) {
        for (int root = count / 2 - 1; root >= 0; root--) {
            sink(events, root, count);
        }
        for (int last = count - 1; last > 0; last--) {
            BodyEvent largest = events[0];
            events[0] = events[last];
            events[last] = largest;
            sink(events, 0, last);
        }
    }

    /** Moves an event below its larger children, in a heap whose other events are in order. */
    private static void sink(BodyEvent[] events, int from, int count) {
        BodyEvent sinking = events[from];
        int at = from;
        for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
            if (child + 1 < count && compare(events[child], events[child + 1]) < 0) {
                child++;
            }
            if (compare(sinking, events[child]) >= 0) {
                break;
            }
            events[at] = events[child];
            at = child;
        }
        events[at] = sinking;
    }
}
