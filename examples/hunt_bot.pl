#!/usr/bin/env perl
# A program that plays by the line protocol of battleship_ai, in Perl without modules.
# It shoots at random, and next to its hits once it has some. It does not hide.
# Try it with: battleship-ai tournament --strategies "program:perl examples/hunt_bot.pl"
use strict;
use warnings;

$| = 1;    # each line at once
my ($rows, $cols, @order, %asked, %near);

while (my $line = <STDIN>) {
    chomp $line;
    my ($word, $rest) = split / /, $line, 2;
    if ($word eq 'battleship_ai') {
        print "battleship_ai 1\n";
    } elsif ($word eq 'game') {
        begin($rest);
        print "ready\n";
    } elsif ($word eq 'answer') {
        learn(split / /, $rest);
    } elsif ($word eq 'shoot') {
        my @free = grep { !$asked{$_} } @order;
        my @near = grep { $near{$_} } @free;
        print +(@near ? $near[0] : $free[0]), "\n";
    }
}

# Start a game: every square in a random order that the seed decides.
sub begin {
    my ($seed, $rules) = split / /, $_[0], 2;
    ($rows, $cols) = $rules =~ /"board":\s*\[(\d+),\s*(\d+)\]/;
    srand $seed;
    my %rank;
    for my $row (0 .. $rows - 1) {
        $rank{ square($row, $_) } = rand for 0 .. $cols - 1;
    }
    @order = sort { $rank{$a} <=> $rank{$b} } keys %rank;
    %asked = %near = ();
}

# Note an answer; a hit makes its neighbours likely.
sub learn {
    my ($square, $answer) = @_;
    $asked{$square} = 1;
    return if $answer eq 'miss';
    my ($row, $col) = (ord($square) - ord('a'), substr $square, 1);
    $near{ square($row + $_, $col) } = $near{ square($row, $col + $_) } = 1 for -1, 1;
}

sub square { return chr(ord('a') + $_[0]) . $_[1] }
