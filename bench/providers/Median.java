import java.util.Arrays;

/// What a call takes that is made again and again for some time.
final class Median {
  interface Call {
    void run() throws Throwable;
  }

  private Median() {}

  static long micros(long nanos, Call call) throws Throwable {
    var times = new long[1_000_000];
    int count = 0;
    for (long end = System.nanoTime() + nanos; System.nanoTime() < end && count < times.length; ) {
      long begin = System.nanoTime();
      call.run();
      times[count++] = System.nanoTime() - begin;
    }
    Arrays.sort(times, 0, count);
    return times[count / 2] / 1000;
  }
}
