package dev.escapement.state.event;

import java.util.ArrayList;
import java.util.List;

/** What a stream hands out, kept as text: events themselves are written again. */
final class DrainedEvents {

    private DrainedEvents() {}

    static List<String> of(EventStream stream) {
        List<String> texts = new ArrayList<>();
        stream.drain(event -> texts.add(event.toString()));
        return texts;
    }

    /** Bodies by number, gaps as -missed. */
    static List<Long> numbers(EventStream stream) {
        List<Long> numbers = new ArrayList<>();
        stream.drain(event -> numbers.add(event.kind() == BodyEvent.Kind.GAP ? -event.missed() : event.body()));
        return numbers;
    }
}
