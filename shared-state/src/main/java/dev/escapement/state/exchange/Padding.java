package dev.escapement.state.exchange;

/**
 * Keeps what is written by two threads alone on its cache lines: 128 unused bytes before it and after it, because
 * processors fetch lines in pairs. The JVM lays out a superclass's fields before its subclass's, so the order is sure.
 */
final class Padding {

    private Padding() {}

    /** The bytes before. */
    abstract static class Before {
        long before00;
        long before01;
        long before02;
        long before03;
        long before04;
        long before05;
        long before06;
        long before07;
        long before08;
        long before09;
        long before10;
        long before11;
        long before12;
        long before13;
        long before14;
        long before15;
    }

    /** The int between. */
    abstract static class PaddedInt extends Before {
        volatile int value;
    }

    /** The bytes after. */
    abstract static class After extends PaddedInt {
        long after00;
        long after01;
        long after02;
        long after03;
        long after04;
        long after05;
        long after06;
        long after07;
        long after08;
        long after09;
        long after10;
        long after11;
        long after12;
        long after13;
        long after14;
        long after15;
    }
}
